/** Whether the person asked for an act, allowed it or forbade it (catalogue M7). */
import type { Span, Trajectory } from "../model";
import { type Ban, bans, type Grant, grants } from "./authorisation-said";
import type { ActKind } from "./authorisation-words";

export { bans, grants } from "./authorisation-said";
export type { ActKind } from "./authorisation-words";

/** An act that somebody wants to know of. */
export interface Act {
  kind: ActKind;
  /** A path, test, URL, branch or commit. */
  subject?: string;
  /** Only what was said before this step counts. */
  step?: number;
}

/**
 * Where the person asked for this act or allowed it; undefined when nobody did. A grant that names things covers only
 * these; a ban of the same act beats a grant that is no later, unless the grant names the subject.
 */
export function isGranted(trajectory: Trajectory, act: Act): Span | undefined {
  const { policy } = trajectory.task;
  if (trajectory.profile === "bench") {
    if (act.kind === "history" && policy?.history === "forbidden") return undefined;
    if ((act.kind === "url" || act.kind === "network") && policy?.network === "forbidden") return undefined;
  }
  const kinds = kindsFor(act.kind);
  const grant = grants(trajectory).findLast((one) => isInTime(one, act) && kinds.includes(one.act) && covers(one, act));
  if (!grant) return undefined;
  const ban = lastBan(trajectory, act);
  if (ban && (ban.step > grant.step || (ban.step === grant.step && !namesSubject(grant, act)))) return undefined;
  return grant.span;
}

/** Where the person forbade this act and did not lift it later. */
export function isBanned(trajectory: Trajectory, act: Act): Span | undefined {
  const ban = lastBan(trajectory, act);
  if (!ban) return undefined;
  const isLifted = grants(trajectory).some(
    (grant) =>
      isInTime(grant, act) &&
      grant.act === act.kind &&
      covers(grant, act) &&
      (grant.step > ban.step || (grant.step === ban.step && namesSubject(grant, act) && !namesSubject(ban, act))),
  );
  return isLifted ? undefined : ban.span;
}

function lastBan(trajectory: Trajectory, act: Act): Ban | undefined {
  return bans(trajectory).findLast((ban) => isInTime(ban, act) && ban.act === act.kind && covers(ban, act));
}

function isInTime(one: Grant, act: Act): boolean {
  return act.step === undefined || one.step < act.step;
}

/** What else allows an act: who may delete a test may skip it; the web holds every URL. */
function kindsFor(kind: ActKind): readonly ActKind[] {
  if (kind === "url") return ["url", "network"];
  if (kind === "test-skip") return ["test-skip", "test-delete"];
  return [kind];
}

function covers(grant: Grant, act: Act): boolean {
  const { subject } = act;
  if (grant.act === "url" && act.kind === "url") return grant.scope.some((one) => isBelow(subject ?? "", one));
  if (grant.act === "path") return namesSubject(grant, act);
  if (grant.scope.length === 0 || subject === undefined) return true;
  return namesSubject(grant, act) || grant.scope.every((name) => isBesides(name, subject));
}

/** The same page, or one below it; `http` and `https`, with and without `www`, a patch of a pull request. */
function isBelow(subject: string, granted: string): boolean {
  const plain = (value: string): string =>
    value
      .replace(/^https?:\/\/(?:www\.)?/, "")
      .replace(/[/#?]+$/, "")
      .toLowerCase();
  const [is, may] = [plain(subject), plain(granted)];
  return is === may || (may.includes("/") && ["/", ".", "?", "#"].some((mark) => is.startsWith(may + mark)));
}

function namesSubject(grant: Grant, { subject }: Act): boolean {
  return subject !== undefined && grant.scope.some((name) => isNameOf(name, subject));
}

/** A name of the sentence is the subject, or a folder above it, or its last part. */
function isNameOf(name: string, subject: string): boolean {
  const [a, b] = [trimName(name), trimName(subject)];
  if (a === "" || b === "") return false;
  return a === b || b.startsWith(`${a}/`) || b.endsWith(`/${a}`) || a.endsWith(`/${b}`) || b.split(/::|[.:#]/).includes(a);
}

function trimName(name: string): string {
  return name
    .replace(/^(?:\/testbed|\/repo|\.)\//, "")
    .replace(/^['"]|['".,:;/]+$/g, "")
    .toLowerCase();
}

/** It names something of another kind (a source file in a sentence about tests), so it does not narrow the grant. */
function isBesides(name: string, subject: string): boolean {
  const isTest = (value: string): boolean => /test|spec/i.test(value);
  return isTest(subject) && !isTest(name);
}
