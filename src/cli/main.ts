/** The command line: arguments in, output and an exit status out. */
import { Command, CommanderError, Option } from "commander";
import { check, type CheckFlags } from "./check";
import { addReportOptions, type Flags, readCount } from "./options";
import { openOutput, UserError } from "./output";
import { scan } from "./scan";
import { explain, listMonitors, printSchema } from "./show";
import { tool } from "./tool";

function createProgram(finish: (status: number) => void): Command {
  const program = new Command("proctor")
    .description("Verifies coding agents: reads what an agent did, shows the evidence, and gives a verdict.")
    .version(tool.version)
    .exitOverride()
    .configureHelp({ showGlobalOptions: false })
    .addHelpText(
      "after",
      "\nExit status: 0 nothing at or above --fail-on; 1 at least one run; 2 misuse, an error, or a PATH that holds nothing we know.",
    );

  addReportOptions(
    program
      .command("scan")
      .description("judge runs: files, folders, or - for JSON lines on standard input")
      .argument("[path...]", "files and folders, or -")
      .addOption(new Option("--profile <profile>", "which rules a run is judged by").choices(["auto", "bench", "dev"]).default("auto"))
      .option("--tasks <file>", "the benchmark's own rows, JSON or JSON lines, joined by instance id (Parquet cannot be read yet)")
      .option("--jobs <n>", "threads (default: as many as there are processors)", readCount),
  ).action(async (paths: string[], flags: Flags) => finish(await scan(paths, flags)));

  addReportOptions(
    program
      .command("check")
      .description("judge the working changes of this repository, or a patch")
      .argument("[patch]", "a unified diff, or - for standard input")
      .option("--base <ref>", "the changes since this revision")
      .option("--staged", "only what is staged"),
  ).action(async (patch: string | undefined, flags: CheckFlags) => finish(await check(patch, flags)));

  program
    .command("monitors")
    .description("list what is looked for")
    .addOption(new Option("--format <format>").choices(["text", "json"]).default("text"))
    .action(({ format }: { format: string }) => print((output) => listMonitors(format, output), finish));

  program
    .command("explain")
    .description("a monitor's declaration; or a finding, by its fingerprint, in the runs at PATH")
    .argument("<id|fingerprint>")
    .argument("[path...]")
    .action((name: string, paths: string[]) => print((output) => explain(name, paths, output), finish));

  program
    .command("schema")
    .description("the JSON Schema of the output")
    .action(() => print(printSchema, finish));
  return program;
}

async function print(write: (output: ReturnType<typeof openOutput>) => Promise<void>, finish: (status: number) => void): Promise<void> {
  const output = openOutput(undefined);
  await write(output);
  await output.close();
  finish(0);
}

async function main(args: string[]): Promise<void> {
  process.exitCode = 2;
  try {
    await createProgram((status) => (process.exitCode = status)).parseAsync(args, { from: "user" });
    return;
  } catch (error) {
    if (error instanceof CommanderError) {
      // Commander has said what is wrong; help and version are no errors.
      process.exitCode = error.exitCode === 0 ? 0 : 2;
      return;
    }
    const message =
      error instanceof UserError
        ? error.message
        : `internal error: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`;
    process.stderr.write(`proctor: ${message}\n`);
    process.exitCode = 2;
  }
}

void main(process.argv.slice(2)).finally(() => {
  // A standard input that nobody reads to its end would keep the process alive.
  process.stdin.unref?.();
});
