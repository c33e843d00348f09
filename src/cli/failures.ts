// Turns errors into a message for standard error and an exit code.
import { CommanderError, InvalidArgumentError } from 'commander';
import { HostyardError } from '#sdk/error.ts';
import { CommandError, exitCodes } from './exit-codes.ts';

export interface Failure {
  readonly message: string;
  readonly exitCode: number;
}

export function describeFailure(error: unknown): Failure {
  // Thrown by a command itself. Commander has already printed all others, or the help text.
  if (error instanceof InvalidArgumentError) return { message: error.message, exitCode: exitCodes.usage };
  if (error instanceof CommanderError)
    return { message: '', exitCode: error.exitCode === 0 ? exitCodes.done : exitCodes.usage };
  if (error instanceof CommandError) return { message: error.message, exitCode: error.exitCode };
  if (error instanceof HostyardError) return { message: messageOf(error), exitCode: exitCodeOf(error.status) };
  if (error instanceof Error) return { message: fileProblem(error) ?? error.message, exitCode: exitCodes.failed };
  return { message: String(error), exitCode: exitCodes.failed };
}

const fileProblems: Readonly<Record<string, string>> = {
  ENOENT: 'does not exist',
  EACCES: 'is not accessible for this user',
  EEXIST: 'exists already',
};

function fileProblem({ code, path }: NodeJS.ErrnoException): string | undefined {
  const problem = fileProblems[code ?? ''];
  return problem === undefined || path === undefined ? undefined : `${path} ${problem}.`;
}

/** Returns true if the server did not accept the key, or the key may not make the call. */
export function isKeyProblem(error: unknown): error is HostyardError {
  return error instanceof HostyardError && (error.code === 'unauthenticated' || error.code === 'scope_missing');
}

function messageOf(error: HostyardError): string {
  const problems = Object.entries(error.errors);
  const fields = problems.map(([name, reason]) => `${name}: ${reason}`);
  // Most messages only repeat the fields.
  const isRepeated = problems.length > 0 && problems.every(([, reason]) => isWithin(error.message, reason));
  const request = error.status >= 500 && error.requestId !== undefined ? [`  request ${error.requestId}`] : [];
  const lines = isRepeated ? fields : [error.message, ...fields.map((field) => `  ${field}`)];
  return [...lines, ...request].join('\n');
}

function isWithin(message: string, reason: string): boolean {
  return message.toLowerCase().includes(reason.toLowerCase());
}

function exitCodeOf(status: number): number {
  switch (status) {
    case 400:
      return exitCodes.usage;
    case 401:
    case 403:
      return exitCodes.denied;
    case 404:
      return exitCodes.notFound;
    case 409:
      return exitCodes.conflict;
    case 502:
    case 504:
      return exitCodes.equipment;
    default:
      return exitCodes.failed;
  }
}
