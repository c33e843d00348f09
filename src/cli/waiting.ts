// Work that goes on after its answer, followed to its end: how far it is goes to standard error, how it ended is the exit code.
import type { Action } from '#sdk/v2.ts';
import { CommandError, exitCodes } from './exit-codes.ts';
import { cutTo, oneLine } from './output/text.ts';
import type { Session } from './session.ts';
import type { Shell } from './shell.ts';

const barWidth = 20;
const recentActions = 20;
const clearLine = '\r\u001B[K';

/** Does what begins the work, and then waits for the action that it began, where the caller wants to. */
export async function awaited<Answer>(
  session: Session,
  shell: Shell,
  { service, operation, wait }: { readonly service: string; readonly operation: string; readonly wait?: boolean },
  begin: () => Promise<Answer>,
  tell: (answer: Answer) => Promise<void>,
): Promise<void> {
  const before = wait === true ? await newestAction(session, service, operation) : undefined;
  await tell(await begin());
  if (wait !== true) return;
  const begun = await newestAction(session, service, operation);
  // What was done before the answer came began no action.
  if (begun !== undefined && begun.id !== before?.id) await follow(session, shell, begun.id);
}

export async function follow({ client }: Session, shell: Shell, id: string): Promise<void> {
  const progress = progressOn(shell);
  let last: Action | undefined;
  try {
    for await (const action of client.follow(id)) {
      last = action;
      progress.tell(action);
    }
  } finally {
    progress.end();
  }
  if (last?.status === 'Failed')
    throw new CommandError(`It failed: ${oneLine(last.error || last.code)}`, exitCodes.workFailed);
  if (last?.status === 'Cancelled') throw new CommandError('It was cancelled.', exitCodes.workCancelled);
}

/** Others may begin something on the same service meanwhile: only an action of this operation is ours. */
async function newestAction({ client }: Session, service: string, operation: string): Promise<Action | undefined> {
  const actions = await client.actionList({ service, limit: recentActions });
  return actions.find((action) => action.operation === `v2.${operation}`);
}

/** A line that is drawn anew on a terminal; elsewhere a line for each step. */
function progressOn({ err, out }: Shell): { tell(action: Action): void; end(): void } {
  if (err.isTTY !== true) {
    let told = '';
    return {
      tell(action) {
        const line = lineOf(action);
        if (line !== told) err.write(`${line}\n`);
        told = line;
      },
      end: () => {},
    };
  }
  return {
    tell: (action) => void err.write(clearLine + cutTo(`${barOf(action)} ${lineOf(action)}`, (out.columns ?? 80) - 1)),
    end: () => void err.write('\n'),
  };
}

function lineOf({ status, progress, step }: Action): string {
  return oneLine([`${status} ${progress}%`, step].filter((part) => part !== '').join('  '));
}

function barOf({ progress }: Action): string {
  const full = Math.round((Math.min(100, Number(progress) || 0) / 100) * barWidth);
  return `[${'█'.repeat(full)}${'·'.repeat(barWidth - full)}]`;
}
