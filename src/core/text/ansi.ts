/** Terminal escapes: CSI, OSC, DCS and the two-character ones, as ECMA-48 defines them. */

/** Linear: each alternative starts with ESC and none can be entered twice at one place. */
const escape =
  /\x1b(?:\[[0-?]{0,64}[ -/]{0,8}[@-~]|[\]PX^_][^\x07\x1b]{0,4096}(?:\x07|\x1b\\)|[ -/]{0,4}[0-~])|\x9b[0-?]{0,64}[ -/]{0,8}[@-~]/g;

/** Whether there is anything to strip. */
export function hasAnsi(value: string): boolean {
  return value.includes("\x1b") || value.includes("\x9b");
}

export function stripAnsi(value: string): string {
  return hasAnsi(value) ? value.replace(escape, "") : value;
}

/** Offsets in the stripped text (ascending), as offsets in the raw one; an offset at an escape stands behind it. */
export function findUnderAnsi(raw: string, offsets: readonly number[]): number[] {
  const found: number[] = [];
  let next = 0;
  let removed = 0;
  const cuts = [...raw.matchAll(escape)];
  for (const offset of offsets) {
    for (let cut = cuts[next]; cut && cut.index - removed <= offset; cut = cuts[++next]) removed += cut[0].length;
    found.push(offset + removed);
  }
  return found;
}
