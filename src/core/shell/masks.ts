import type { RawItem, RawList, RawNode } from "./raw";
import type { Scope } from "./scope";

/** Which items' own status does not reach the end of the list. From right to left, so that it is linear. */
export function findMasks(
  list: RawList,
  masked: boolean,
  scope: Scope,
): { at(i: number): boolean; refresh(i: number, scope: Scope): void } {
  const compute = (errexit: boolean): boolean[] => {
    const out = new Array<boolean>(list.length).fill(masked);
    for (let i = list.length - 2; i >= 0; i--) {
      const next = list[i + 1] as RawItem;
      if (next.joined === ";") out[i] = errexit ? masked : true;
      else if (next.joined === "&") out[i] = true;
      else if (next.joined === "&&") out[i] = out[i + 1] ?? true;
      else out[i] = fails(next.node) ? (out[i + 1] ?? true) : true;
    }
    return out;
  };
  let result = list.length > 1 ? compute(scope.errexit) : [masked];
  return {
    at: (i) => result[i] ?? masked,
    refresh: (i, later) => {
      const words = nodeWords(list[i]?.node);
      if (words.some((w) => /^-\w*e\w*$/.test(w) || w === "errexit") && words[0] === "set" && !later.errexit) result = compute(true);
    },
  };
}

/** The right side of `||` that fails in turn: `exit 1`, `false`, `{ …; exit 1; }`. */
function fails(node: RawNode): boolean {
  const last = node.kind === "group" ? node.list[node.list.length - 1]?.node : node;
  if (last === undefined) return false;
  if (last.kind === "group") return last !== node && fails(last);
  const [name, status] = nodeWords(last);
  return name === "false" || ((name === "exit" || name === "return") && status !== "0" && (status !== undefined || last === node));
}

function nodeWords(node: RawNode | undefined): string[] {
  if (node?.kind !== "simple") return [];
  return node.words.slice(0, 6).map((word) => (word.parts.length === 1 && word.parts[0]?.kind === "text" ? word.parts[0].value : "\0"));
}
