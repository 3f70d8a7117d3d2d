/** Names of benchmark tasks, as the SWE-bench family writes them: `owner__repository-123`. */

const instance = /^([A-Za-z0-9][\w.-]{0,80}?)__([\w.-]{1,100})-(\d{1,9})$/;

/** The repository that an instance id speaks of, as `owner/name`; undefined when the id does not have that form. */
export function repositoryOf(id: string): string | undefined {
  const found = id.length < 200 ? instance.exec(id) : null;
  return found ? `${found[1]}/${found[2]}` : undefined;
}

/** A file's name without its folders and without the given endings. */
export function baseName(name: string, endings: readonly string[]): string {
  const base = name.slice(Math.max(name.lastIndexOf("/"), name.lastIndexOf("\\")) + 1);
  const ending = endings.find((end) => base.toLowerCase().endsWith(end));
  return ending ? base.slice(0, base.length - ending.length) : base;
}
