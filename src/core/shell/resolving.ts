import { type Frame, MAX_DEPTH } from "./frame";
import type { RawRedirect } from "./raw";
import { forkScope } from "./scope";
import type { Redirect } from "./types";
import { walkList } from "./walk";
import { type Resolver, resolveValue } from "./words";

export function resolveRedirects(frame: Frame, redirects: readonly RawRedirect[]): Redirect[] {
  const r = resolver(frame);
  return redirects.map((raw) => {
    const target = resolveValue(raw.target, r);
    return { fd: raw.fd, op: raw.op, target, ...(raw.body === undefined ? {} : { body: resolveValue(raw.body, r) }) };
  });
}

export function resolver(frame: Frame): Resolver {
  const { run } = frame;
  return {
    scope: frame.scope,
    place: frame.place,
    noteDecoded: (word) => (run.decoded ??= new Set()).add(word),
    noteProcess: (word, output) => (run.processes ??= new Map()).set(word, { output }),
    substitute: (list) => {
      if (frame.depth >= MAX_DEPTH * 2) return undefined;
      const inner: Frame = {
        ...frame,
        via: "substitution",
        scope: forkScope(frame.scope),
        depth: frame.depth + 1,
        aside: true,
        wrappers: [],
      };
      return walkList(inner, list, { joined: ";", masked: true, background: false, wanted: true });
    },
  };
}

export function baseName(path: string): string {
  const slash = path.lastIndexOf("/");
  return slash < 0 ? path : path.slice(slash + 1);
}
