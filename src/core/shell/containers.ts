import { sliceWord } from "./slices";
import type { Word } from "./types";
import type { Unwrapped } from "./wrappers";

export const DOCKER_VALUES =
  "-a --add-host --attach --cap-add --cap-drop --cidfile --cpus -c --cpu-shares --detach-keys --device --dns -e --env --env-file --entrypoint --expose --gpus --group-add -h --hostname --health-cmd --ip --ipc -l --label --link --log-driver --log-opt -m --memory --mount --name --network --net --pid --platform -p --publish --pull --restart --runtime --security-opt --shm-size --stop-signal --tmpfs --ulimit -u --user --userns -v --volume --volumes-from -w --workdir --index -f --file --project-name";

export const KUBECTL_VALUES =
  "-c --container -n --namespace --context --kubeconfig -f --filename --pod-running-timeout --cluster --user -s --server";

export function unwrapContainer(name: string, argv: readonly Word[]): Unwrapped | undefined {
  let at = 1;
  // `docker compose exec service …` and `docker container exec …`.
  const group = argv[1]?.value;
  if (group === "compose" || group === "container") at = 2;
  while (argv[at]?.value.startsWith("-") === true) at += ` ${DOCKER_VALUES} `.includes(` ${argv[at]?.value} `) ? 2 : 1;
  const verb = argv[at]?.value;
  if (verb !== "exec" && verb !== "run") return undefined;
  return afterOptions(name, argv, at + 1, DOCKER_VALUES, 1);
}

/** The command after options (`values` names those with a value) and `operands` words. Its files are a container's when there are any. */
export function afterOptions(name: string, argv: readonly Word[], from: number, values: string, operands: number): Unwrapped | undefined {
  const assignments: { name: string; value: Word }[] = [];
  let i = from;
  for (; i < argv.length; i++) {
    const value = argv[i]?.value ?? "";
    if (value === "--") {
      i++;
      break;
    }
    if (!value.startsWith("-") || value === "-") break;
    if (!` ${values} `.includes(` ${value} `)) continue;
    const given = argv[++i];
    const match = (value === "-e" || value === "--env") && given !== undefined ? /^([A-Za-z_]\w*)=/.exec(given.value) : null;
    if (match !== null && given !== undefined) assignments.push({ name: match[1] ?? "", value: sliceWord(given, match[0].length) });
  }
  i += operands;
  const rest = argv.slice(i);
  return rest.length === 0 ? undefined : { name, commands: [rest], assignments, ...(operands > 0 ? { remote: true } : {}) };
}
