// Exit codes for scripts, described in docs/reference/cli.md.
export const exitCodes = {
  done: 0,
  failed: 1,
  usage: 2,
  notFound: 3,
  denied: 4,
  conflict: 5,
  equipment: 6,
  declined: 7,
  actionFailed: 8,
  actionCancelled: 9,
} as const;

/** An error whose message and exit code the command chose itself. */
export class CommandError extends Error {
  readonly exitCode: number;

  constructor(message: string, exitCode: number = exitCodes.failed) {
    super(message);
    this.exitCode = exitCode;
  }
}
