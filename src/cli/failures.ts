// Turns errors into a message for standard error and an exit code.
import { CommanderError } from 'commander';
import { HostyardError } from '#sdk/error.ts';
import { CommandError, exitCodes } from './exit-codes.ts';
import { stripControls } from './output/text.ts';

export interface Failure {
  readonly message: string;
  readonly exitCode: number;
}

export function describeFailure(error: unknown): Failure {
  // Commander has already printed its message or the help text.
  if (error instanceof CommanderError && error.code !== 'commander.invalidArgument')
    return { message: '', exitCode: error.exitCode === 0 ? exitCodes.done : exitCodes.usage };
  if (error instanceof CommanderError) return { message: error.message, exitCode: exitCodes.usage };
  if (error instanceof CommandError) return { message: error.message, exitCode: error.exitCode };
  if (error instanceof HostyardError) return { message: messageOf(error), exitCode: exitCodeOf(error.status) };
  return { message: error instanceof Error ? error.message : String(error), exitCode: exitCodes.failed };
}

function messageOf(error: HostyardError): string {
  const problems = Object.entries(error.errors);
  const fields = problems.map(([name, reason]) => `${name}: ${reason}`);
  // Most messages only repeat the fields.
  const isRepeated = problems.length > 0 && problems.every(([, reason]) => isWithin(error.message, reason));
  const request = error.status >= 500 && error.requestId !== undefined ? [`  request ${error.requestId}`] : [];
  const lines = isRepeated ? fields : [error.message, ...fields.map((field) => `  ${field}`)];
  return stripControls([...lines, ...request].join('\n'));
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
