// Archives of everything about an account: requested by its owner or by staff, created by a job, and deleted after a week.
import type { Static } from 'typebox';
import type { FileContent } from '#contract/shapes/file.ts';
import type {
  AccountExport as ExportShape,
  NewAccountExport,
  OperatorAccountExport,
} from '#contract/shapes/privacy.ts';
import { appendEvent } from '#events/append.ts';
import { conflict, requireFound } from '#lib/api-error.ts';
import { dayMs, optionalTimeText, timeText } from '#lib/time.ts';
import { jobWorker, type JobAttempt, type JobKind, type JobWorker } from '#queue/queue.ts';
import type { AccountId } from '#store/account-id.ts';
import { billingAccountLock } from '#store/billing/billing-accounts.ts';
import * as store from '#store/privacy/exports.ts';
import type { App, Context } from '../app.ts';
import { createAccountSlots } from '../operations/account-slots.ts';
import { getCustomer } from '../operator/accounts.ts';
import { writeAccountArchive, type InTurn } from './archive.ts';
import { requireOwner } from './owner.ts';

export interface ExportWork {
  readonly export: number;
}
export const exportJob: JobKind<ExportWork> = {
  name: 'account-export',
  /** Long, because an archive also waits for those of other accounts. */
  deadlineSeconds: 6 * 3600,
  retries: 3,
  firstRetrySeconds: 10,
  maxRetrySeconds: 300,
  concurrency: 32,
};
/** How many of the started exports run at a time, so that the rest of the process does not notice them. */
const workingAtOnce = 2;

const keptMs = 7 * dayMs;
/** One that was never completed does not keep its owner from asking again. */
const unfinishedMs = dayMs;
const dailyLimit = 3;
const bytesPerPart = 262_144;

export async function accountExportCreate(context: Context): Promise<Static<typeof NewAccountExport>> {
  requireOwner(context);
  return requestExport(context, context.caller.account, null, '');
}

export async function operatorExportCreate(
  context: Context,
  { id, reason }: { readonly id: number; readonly reason: string },
): Promise<Static<typeof NewAccountExport>> {
  const account = await getCustomer(context.queries, id);
  context.onBehalfOf(account.id);
  return requestExport(context, account.id, context.caller.operator!.name, reason);
}

async function requestExport(
  { app, queries }: Context,
  account: AccountId,
  operator: string | null,
  reason: string,
): Promise<Static<typeof NewAccountExport>> {
  const now = app.clock.now();
  // Of two calls at once, one must see the archive of the other.
  await billingAccountLock(queries, account);
  const earlier = await store.exportList(queries, account);
  const own = earlier.filter((item) => (item.operator === null) === (operator === null));
  if (own.some(({ status, expires_at }) => status === 'Queued' && expires_at > now))
    throw conflict('An archive is being created. Wait until it is ready.');
  if (own.filter(({ created_at }) => created_at > now - dayMs).length >= dailyLimit)
    throw conflict(`You can create at most ${dailyLimit} archives per day. Try again tomorrow.`);
  for (const { id, status } of own)
    if (status === 'Ready') {
      await store.exportPartsRemove(queries, id);
      await store.exportUpdate(queries, id, { status: 'Replaced' });
    }
  const id = await store.exportInsert(queries, {
    account_id: account,
    operator,
    reason,
    status: 'Queued',
    size_bytes: 0,
    error: '',
    created_at: now,
    ready_at: null,
    expires_at: now + unfinishedMs,
  });
  await app.queue.enqueue(queries, exportJob, { export: id });
  return { id: String(id) };
}

export async function accountExportList({ queries, caller }: Context): Promise<Static<typeof ExportShape>[]> {
  return (await store.exportList(queries, caller.account)).map(exportShape);
}

export async function operatorExportList(
  { queries }: Context,
  id: number,
): Promise<Static<typeof OperatorAccountExport>[]> {
  const account = await getCustomer(queries, id);
  const exports = await store.exportList(queries, account.id);
  return exports.map((item) => ({ ...exportShape(item), account: String(account.id), reason: item.reason }));
}

function exportShape(item: store.AccountExport): Static<typeof ExportShape> {
  return {
    id: String(item.id),
    status: item.status,
    size: String(item.size_bytes),
    error: item.error,
    created: timeText(item.created_at),
    ready: optionalTimeText(item.ready_at),
    expires: timeText(item.expires_at),
    operator: item.operator ?? '',
  };
}

export async function accountExportFile(context: Context, id: number): Promise<FileContent> {
  requireOwner(context);
  const found = await store.exportLoad(context.queries, id);
  return exportFile(context, found?.account_id === context.caller.account ? found : undefined);
}

/** Archives that a customer requested are for that customer; staff are audited for theirs. */
export async function operatorExportFile(context: Context, id: number): Promise<FileContent> {
  const found = await store.exportLoad(context.queries, id);
  return exportFile(context, found?.operator === null ? undefined : found);
}

function exportFile({ app, queries }: Context, item: store.AccountExport | undefined): FileContent {
  const { id, account_id, status, expires_at, size_bytes } = requireFound(item);
  if (expires_at <= app.clock.now()) throw conflict('The archive has expired. Request a new one.');
  if (status !== 'Ready') throw conflict('The archive is not ready, or a newer one has replaced it.');
  async function* parts(): AsyncGenerator<Buffer> {
    for (let position = 0; ; position++) {
      const part = await store.exportPart(queries, id, position);
      if (part === undefined) return;
      yield part;
    }
  }
  return { name: `account-${account_id}.zip`, parts: parts(), size: size_bytes };
}

export function exportWorker(app: App): JobWorker {
  const slots = createAccountSlots();
  return jobWorker(exportJob, async (job) => {
    const item = await store.exportLoad(app.store.queries, job.payload.export);
    if (item?.status !== 'Queued') return;
    const inTurn: InTurn = async (work) => {
      using _slot = await slots.take(item.account_id, workingAtOnce, job.signal);
      return await work();
    };
    try {
      await createArchive(app, job, item, inTurn);
    } catch (error) {
      if (job.signal.aborted || job.attempt <= exportJob.retries) throw error;
      app.log.error({ err: error, account: item.account_id }, 'an archive of an account cannot be created');
      await job.complete((queries) =>
        store.exportUpdate(queries, item.id, { status: 'Failed', error: 'The archive could not be created.' }),
      );
    }
  });
}

async function createArchive(
  app: App,
  job: JobAttempt<ExportWork>,
  item: store.AccountExport,
  inTurn: InTurn,
): Promise<void> {
  // An earlier attempt may have left some.
  await job.publish((queries) => store.exportPartsRemove(queries, item.id));
  let pending: Buffer[] = [];
  let pendingBytes = 0;
  let position = 0;
  let size = 0;
  const flush = async (): Promise<void> => {
    const content = Buffer.concat(pending);
    pending = [];
    pendingBytes = 0;
    size += content.length;
    const at = position++;
    await job.publish((queries) => store.exportPartInsert(queries, item.id, at, content));
  };
  await writeAccountArchive(app, item.account_id, inTurn, async (piece) => {
    job.signal.throwIfAborted();
    pending.push(piece);
    pendingBytes += piece.length;
    if (pendingBytes >= bytesPerPart) await flush();
  });
  if (pendingBytes > 0) await flush();
  const now = app.clock.now();
  await job.complete(async (queries) => {
    const change = { status: 'Ready', size_bytes: size, ready_at: now, expires_at: now + keptMs } as const;
    await store.exportUpdate(queries, item.id, change);
    await appendEvent(app, queries, {
      account: item.account_id,
      type: 'account.export.ready',
      data: { exportid: String(item.id), operator: item.operator ?? '', until: new Date(now + keptMs).toISOString() },
    });
  });
}
