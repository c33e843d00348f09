// A customer's command: signed in when it is called, its options and arguments handed to its work.
import type { Command } from 'commander';
import { openSession, type Session } from './session.ts';
import type { Shell } from './shell.ts';

export type Work<Options> = (session: Session, options: Options, ...args: string[]) => Promise<void>;

export function onCall<Options = object>(command: Command, shell: Shell, work: Work<Options>): void {
  command.action(async (...given: unknown[]) => {
    const args = given.slice(0, -2) as string[];
    await work(await openSession(command, shell), given.at(-2) as Options, ...args);
  });
}

/** For what destroys: the question can be answered in the call. */
export function withYes(command: Command): Command {
  return command.option('-y, --yes', 'do not ask');
}

export function withWait(command: Command): Command {
  return command.option('-w, --wait', 'until it has ended; the exit code says how');
}

/** For an option that may be given several times, or once with commas. */
export function listed(value: string, before: readonly string[] = []): string[] {
  return [...before, ...value.split(',').map((each) => each.trim())];
}
