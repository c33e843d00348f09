// From what went wrong to words and an exit code.
import { CommanderError } from 'commander';
import { HostyardError } from '#sdk/error.ts';
import { CommandError, exitCodes } from './exit-codes.ts';
import { harmless } from './output/text.ts';

export interface Failure {
  readonly words: string;
  readonly exitCode: number;
}

export function failureOf(error: unknown): Failure {
  // Commander has already told what was wrong with the call, or given the help that was asked for.
  if (error instanceof CommanderError && error.code !== 'commander.invalidArgument')
    return { words: '', exitCode: error.exitCode === 0 ? exitCodes.done : exitCodes.usage };
  if (error instanceof CommanderError) return { words: error.message, exitCode: exitCodes.usage };
  if (error instanceof CommandError) return { words: error.message, exitCode: error.exitCode };
  if (error instanceof HostyardError) return { words: wordsOf(error), exitCode: exitCodeOf(error.status) };
  return { words: error instanceof Error ? error.message : String(error), exitCode: exitCodes.failed };
}

function wordsOf(error: HostyardError): string {
  const fields = Object.entries(error.errors).map(([name, reason]) => `  ${name}: ${reason}`);
  const request = error.status >= 500 && error.requestId !== undefined ? [`  request ${error.requestId}`] : [];
  return harmless([error.message, ...fields, ...request].join('\n'));
}

function exitCodeOf(status: number): number {
  switch (status) {
    case 400:
      return exitCodes.usage;
    case 401:
    case 403:
      return exitCodes.refused;
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
