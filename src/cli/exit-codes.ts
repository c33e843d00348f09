// How a command ends, for scripts: docs/cli.md tells each number.
export const exitCodes = {
  done: 0,
  failed: 1,
  usage: 2,
  notFound: 3,
  refused: 4,
  conflict: 5,
  equipment: 6,
  declined: 7,
  workFailed: 8,
  workCancelled: 9,
} as const;

/** An end that the command itself chose, in words for whoever called it. */
export class CommandError extends Error {
  readonly exitCode: number;

  constructor(message: string, exitCode: number = exitCodes.failed) {
    super(message);
    this.exitCode = exitCode;
  }
}
