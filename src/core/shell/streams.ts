import type { Frame, Input, Position } from "./frame";
import { findScript } from "./scope";
import type { Redirect, Word } from "./types";
import type { Output } from "./words";

export function outputWord(output: Output): Word {
  return { value: output.text, known: !output.text.includes("\0"), start: output.start, end: output.end, quoted: true };
}

export function isOutput(redirect: Redirect): boolean {
  return redirect.op === ">" || redirect.op === ">>" || redirect.op === ">|" ? redirect.fd === 1 || redirect.fd === -1 : false;
}

/** The input of a command: its own redirection, else the pipe or what its block is given. */
export function findInput(frame: Frame, redirects: readonly Redirect[], at: Position): Input | undefined {
  for (let i = redirects.length - 1; i >= 0; i--) {
    const redirect = redirects[i] as Redirect;
    if (redirect.fd !== 0) continue;
    if (redirect.op === "<<" && redirect.body !== undefined) return { word: redirect.body, decoded: false, from: "heredoc" };
    if (redirect.op === "<<<")
      return {
        word: { ...redirect.target, value: `${redirect.target.value}\n` },
        decoded: frame.run.decoded?.has(redirect.target) === true,
        from: "heredoc",
      };
    if (redirect.op === "<") {
      const process = frame.run.processes?.get(redirect.target);
      if (process !== undefined)
        return {
          decoded: process.output?.decoded === true,
          from: "pipe",
          ...(process.output === undefined ? {} : { word: outputWord(process.output) }),
        };
      const script = findScript(frame.scope, redirect.target.value);
      return script === undefined
        ? { decoded: false, file: true, from: "pipe" }
        : { word: { ...redirect.target, value: script.content }, decoded: false, from: "pipe" };
    }
  }
  return at.input;
}
