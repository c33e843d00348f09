// Follows an action that continues after its request: progress goes to standard error, the result is the exit code.
import { stepLabels } from '#contract/workflow-steps.ts';
import type { Action, Client } from '#sdk/v2.ts';
import type { WaitOption } from './command.ts';
import { CommandError, exitCodes } from './exit-codes.ts';
import { singleLine, truncate } from './output/text.ts';
import type { Session } from './session.ts';
import type { Shell } from './shell.ts';

const barWidth = 20;
const recentActions = 20;
const clearLine = '\r\u001B[K';

type LongOperation =
  | 'devicePasswordReset'
  | 'devicePowerSet'
  | 'deviceReloadStart'
  | 'deviceRescueEnd'
  | 'deviceRescueStart'
  | 'deviceShutdown';

/** Starts an operation and prints its response. With --wait, then follows the action that it started. */
export async function runAndWait<Operation extends LongOperation>(
  session: Session,
  { wait }: WaitOption,
  operation: Operation,
  input: Parameters<Client[Operation]>[0],
  print: (response: string) => Promise<void> = session.print.text,
): Promise<void> {
  const service = String(input.service);
  const previous = wait === true ? await newestAction(session, service, operation) : undefined;
  const call = session.client[operation] as (input: object) => Promise<string>;
  await print(await call(input));
  if (wait !== true) return;
  const newest = await newestAction(session, service, operation);
  // An operation that was completed within the request started no action.
  if (newest !== undefined && newest.id !== previous?.id) await followAction(session, newest.id);
}

/** Prints the response of an operation. With --wait, then follows the action that it names, if it started one. */
export async function printAndFollow(
  session: Session,
  response: { readonly action: string },
  { wait }: WaitOption,
): Promise<void> {
  await session.print.fields(response);
  if (wait === true && response.action !== '') await followAction(session, response.action);
}

export async function followAction({ client, shell }: Session, id: string): Promise<void> {
  const progress = createProgress(shell);
  let last: Action | undefined;
  try {
    for await (const action of client.follow(id)) {
      last = action;
      progress.update(action);
    }
  } finally {
    progress.end();
  }
  if (last?.status === 'Failed')
    throw new CommandError(`The action failed: ${singleLine(last.error || last.code)}`, exitCodes.actionFailed);
  if (last?.status === 'Cancelled') throw new CommandError('The action was cancelled.', exitCodes.actionCancelled);
}

/** Only looks for this operation, because others may start something on the same service at the same time. */
async function newestAction({ client }: Session, service: string, operation: string): Promise<Action | undefined> {
  const actions = await client.actionList({ service, limit: recentActions });
  return actions.find((action) => action.operation === `v2.${operation}`);
}

/** Redraws one line on a terminal; otherwise prints a line per step. */
function createProgress({ err, out }: Shell): { update(action: Action): void; end(): void } {
  if (err.isTTY !== true) {
    let previous = '';
    return {
      update(action) {
        const line = progressLine(action);
        if (line !== previous) err.write(`${line}\n`);
        previous = line;
      },
      end: () => {},
    };
  }
  return {
    update(action) {
      const line = `${progressBar(action)} ${progressLine(action)}`;
      err.write(clearLine + truncate(line, (out.columns || 80) - 1));
    },
    end: () => void err.write('\n'),
  };
}

function progressLine({ status, progress, step }: Action): string {
  return singleLine([`${status} ${progress}%`, stepLabels[step] ?? step].filter((part) => part !== '').join('  '));
}

function progressBar({ progress }: Action): string {
  const full = Math.round((Math.min(100, Number(progress) || 0) / 100) * barWidth);
  return `[${'█'.repeat(full)}${'·'.repeat(barWidth - full)}]`;
}
