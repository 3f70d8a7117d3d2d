import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { createSource, findFiles, openSource } from "../../src/node/files";
import { makeFolder, writeFile } from "./folder";

function list(folder: string): string[] {
  return [...findFiles(folder)].map(({ name, skipped }) => (skipped === undefined ? name : `${name}: ${skipped}`));
}

test("a source reads what is asked for, and less past its end", (t) => {
  const file = writeFile(makeFolder(t), "a.txt", "0123456789");
  const source = openSource(file, "a.txt");
  assert.equal(source.size, 10);
  assert.equal(Buffer.from(source.read(2, 5)).toString(), "234");
  assert.equal(Buffer.from(source.read(8, 50)).toString(), "89");
  assert.equal(source.read(20, 30).length, 0);
  assert.equal(source.read(5, 2).length, 0);
  assert.equal(source.failure, undefined);
  source.close();
  source.close();
});

test("a file that shrinks while it is read says so", (t) => {
  const file = writeFile(makeFolder(t), "a.txt", "0123456789");
  const source = openSource(file, "a.txt");
  fs.truncateSync(file, 4);
  assert.equal(Buffer.from(source.read(0, 10)).toString(), "0123");
  assert.match(source.failure ?? "", /shorter/);
  source.close();
});

test("bytes in memory are a source", () => {
  const source = createSource(Buffer.from("abc"), "b");
  assert.equal(Buffer.from(source.read(1, 9)).toString(), "bc");
});

test("names come in the order of their code units, folders among files", (t) => {
  const folder = makeFolder(t, { "b.txt": "", "a/z": "", "a/B": "", "Z.txt": "", é: "", "a.b": "", "node_modules/x": "", ".git/x": "" });
  assert.deepEqual(list(folder), ["Z.txt", "a/B", "a/z", "a.b", "b.txt", "é"]);
});

test("links below the folder are not followed, and loops end", (t) => {
  const folder = makeFolder(t, { "sub/file": "x" });
  const outside = makeFolder(t, { secret: "x" });
  fs.symlinkSync(folder, path.join(folder, "sub/loop"));
  fs.symlinkSync(path.join(outside, "secret"), path.join(folder, "out"));
  fs.symlinkSync(outside, path.join(folder, "out-folder"));
  fs.symlinkSync("nowhere", path.join(folder, "dangling"));
  assert.deepEqual(list(folder), [
    "dangling: symbolic link that leads nowhere",
    "out: symbolic link out of the folder",
    "out-folder: symbolic link out of the folder",
    "sub/file",
    "sub/loop: symbolic link inside the folder: read under its own name",
  ]);
});

test("a link that a person names is followed", (t) => {
  const folder = makeFolder(t, { "real/file": "x" });
  fs.symlinkSync(path.join(folder, "real"), path.join(folder, "link"));
  assert.deepEqual(list(path.join(folder, "link")), ["file"]);
  fs.symlinkSync(path.join(folder, "real/file"), path.join(folder, "to-file"));
  assert.deepEqual(list(path.join(folder, "to-file")), ["to-file"]);
});

test("pipes are never opened", (t) => {
  const folder = makeFolder(t, { file: "x" });
  const pipe = path.join(folder, "pipe");
  execFileSync("mkfifo", [pipe]);
  assert.deepEqual(list(folder), ["file", "pipe: not a regular file"]);
  assert.deepEqual(list(pipe), ["pipe: not a regular file"]);
  assert.throws(() => openSource(pipe, "pipe"), /regular file/);
  assert.throws(() => openSource("/dev/null", "null"), /regular file/);
});

test("a folder nested too deep ends the walk there and nowhere else", (t) => {
  const folder = makeFolder(t, { [`${"d/".repeat(70)}deep`]: "x", "d/near": "x" });
  const found = list(folder);
  assert.equal(found.length, 2);
  assert.match(found[0] ?? "", /^(d\/){63}d: too deep/);
  assert.equal(found[1], "d/near");
});

test("a PATH that is not there throws with a reason", () => {
  assert.throws(() => [...findFiles("/no/such/path")], /ENOENT/);
});
