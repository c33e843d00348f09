// The queue on PostgreSQL: one pg-boss queue per kind, shared by many instances. pg-boss provides tables, sending,
// retries and maintenance; we fetch jobs ourselves, because its workers wait for a whole batch, whereas ours refill
// each slot as it becomes free. It uses its own connections, opened when the first job is enqueued or processed, so
// that commands that do neither need none.
import { fromKysely, PgBoss, type ConstructorOptions, type QueueOptions } from 'pg-boss';
import {
  bossJobLock,
  bossJobRelease,
  bossJobRetry,
  bossJobsClaimByKey,
  bossJobsCount,
  bossJobsDue,
  bossJobsFailed,
  bossJobsTakeOver,
  bossKeysAlive,
  type BossAttempt,
} from '#store/work/pg-boss-jobs.ts';
import { batches } from '#store/engine/rows.ts';
import { directUrl, postgresRoute } from '#store/engine/postgres-route.ts';
import { allFailed, type JobKind, type QueueParts, type Queue } from './queue.ts';
import { errorText, type Claim, type QueueBackend, type Outcome } from './backend.ts';
import { createRunner } from './runner.ts';
import { timeOrderedId } from './time-ordered-id.ts';

const connections = 5;
/** Its maintenance may take long; a server that hangs takes longer. */
const responseTimeoutMs = 60_000;
const silentAfterSeconds = 12;
/** Notifications announce jobs that are due at once, so polling is for those that become due. */
const idlePollMs = 2000;
/** pg-boss's own rules apply as a fallback, for kinds that no instance processes any more. */
const behindSeconds = 30;
const tenYearsSeconds = 10 * 365 * 86_400;
/** The maximum that pg-boss accepts. */
const maxExpirySeconds = 86_400;
const never = 0;

export function pgBossQueue({ store, clock, log }: QueueParts, url: string): Queue {
  const canListen = directUrl(url) === undefined;
  const queues = new Map<string, Promise<void>>();
  let opened: Promise<PgBoss> | undefined;
  const open = (): Promise<PgBoss> =>
    (opened ??= openBoss().catch((error: unknown) => {
      // The database was unavailable; the next caller may succeed.
      opened = undefined;
      throw error;
    }));

  async function openBoss(): Promise<PgBoss> {
    const boss = new PgBoss({
      ...postgresRoute(url).options,
      max: connections,
      query_timeout: responseTimeoutMs,
      schedule: false,
      useListenNotify: canListen,
    } as ConstructorOptions);
    boss.on('error', (error) => log.error({ err: error }, 'pg-boss failed'));
    boss.on('warning', (warning) => log.warn({ warning }, 'pg-boss warning'));
    const database = boss.getDb();
    const listen = database.listen!.bind(database);
    database.listen = (channel, notified, connected) =>
      listen(
        channel,
        (queue) => {
          notified(queue);
          jobRunner.wake(queue);
        },
        connected,
      );
    await boss.start();
    return boss;
  }

  /** Returns pg-boss, with a queue for this kind as the code currently defines it. */
  async function bossFor(kind: JobKind<never>): Promise<PgBoss> {
    const boss = await open();
    let queue = queues.get(kind.name);
    if (queue === undefined) {
      queue = createOrUpdateQueue(boss, kind);
      queues.set(kind.name, queue);
      queue.catch(() => queues.delete(kind.name));
    }
    await queue;
    return boss;
  }

  const backend: QueueBackend = {
    leaseMs: silentAfterSeconds * 1000,
    async settleAndClaim(kind, ended, slots) {
      const boss = await open();
      await settle(boss, kind.name, ended);
      if (slots === 0) return [];
      const rows =
        kind.key === undefined
          ? await boss.fetch<object>(kind.name, { batchSize: slots })
          : await store.transaction((queries) => bossJobsClaimByKey(queries, kind.name, slots));
      return rows.map(({ id, data, retryCount }) => ({ id, kind: kind.name, attempt: retryCount + 1, payload: data }));
    },
    due: (kinds) => bossJobsDue(store.queries, kinds),
    hold: (queries, claim) => bossJobLock(queries, claim.kind, attemptOf(claim)),
    async finish(queries, claim) {
      const boss = await open();
      return affectedIds(await boss.deleteJob(claim.kind, attemptOf(claim), { db: fromKysely(queries) })).length > 0;
    },
    async beat(claims, kinds) {
      const boss = await open();
      const names = kinds.map((kind) => kind.name);
      const lost: Claim[] = [];
      for (const name of names) {
        const own = claims.filter((claim) => claim.kind === name);
        if (own.length === 0) continue;
        const alive = new Set(affectedIds(await boss.touch(name, own.map(attemptOf))));
        lost.push(...own.filter((claim) => !alive.has(claim.id)));
      }
      const error = 'its process ended before it finished';
      const again = await bossJobsTakeOver(store.queries, names, silentAfterSeconds, error);
      if (again.length > 0) log.warn({ jobs: again.length }, 'restarting jobs of a process that ended');
      for (const name of again) jobRunner.wake(name);
      return lost;
    },
  };
  const jobRunner = createRunner(store, backend, log, canListen ? idlePollMs : undefined);

  async function settle(boss: PgBoss, name: string, ended: readonly Outcome[]): Promise<void> {
    const done = ended.filter((outcome) => outcome.how === 'done').map((outcome) => attemptOf(outcome.claim));
    if (done.length > 0) await boss.deleteJob(name, done);
    for (const { claim, how, error } of ended) {
      if (how === 'released') await bossJobRelease(store.queries, name, attemptOf(claim));
      if (how === 'failed') await boss.fail(name, attemptOf(claim), { message: errorText(error) });
    }
  }

  function jobNames<Payload extends object>(kind: JobKind<Payload>, payload: Payload) {
    const singletonKey = kind.key?.(payload);
    return { id: timeOrderedId(clock.now()), ...(singletonKey === undefined ? {} : { singletonKey }) };
  }

  return {
    async enqueue(queries, kind, payload, when) {
      const boss = await bossFor(kind);
      jobRunner.expectJobs();
      const names = jobNames(kind, payload);
      await boss.send(kind.name, payload, {
        ...names,
        db: fromKysely(queries),
        // Relative to now instead of an absolute time, because the database's clock may just have been set.
        ...(when === undefined ? {} : { startAfter: Math.max(0, when.runAt - clock.now()) / 1000 }),
      });
      return names.id;
    },
    async enqueueAll(queries, kind, payloads) {
      const boss = await bossFor(kind);
      for (const batch of batches(payloads))
        await boss.insert(
          kind.name,
          batch.map((data) => ({ data, ...jobNames(kind, data) })),
          { db: fromKysely(queries) },
        );
    },
    async start(workers) {
      for (const { kind } of workers) await bossFor(kind);
      jobRunner.start(workers);
    },
    drain: () => jobRunner.drain(),
    async stop() {
      await jobRunner.stop();
      const boss = await opened;
      await boss?.stop({ graceful: false });
    },
    async keysAlive(kind, keys) {
      await open();
      return new Set(await bossKeysAlive(store.queries, kind.name, keys));
    },
    async failed({ limit, after } = allFailed) {
      await open();
      const rows = await bossJobsFailed(store.queries, limit, after);
      return rows.map(({ id, name, data, retryCount, error, failedAt }) => ({
        id,
        kind: name,
        payload: data,
        attempts: retryCount + 1,
        error: error ?? '',
        failedAt,
      }));
    },
    async retry(id) {
      await open();
      const kind = await bossJobRetry(store.queries, id);
      if (kind !== undefined) jobRunner.wake(kind);
      return kind !== undefined;
    },
    async counts() {
      await open();
      const rows = await bossJobsCount(store.queries);
      return new Map(rows.map(({ name, ...counts }) => [name, counts]));
    },
  };
}

/** Creates the queues of an empty database, so that jobs can be copied into it. */
export async function createBossQueues(url: string, kinds: readonly JobKind<never>[]): Promise<void> {
  const boss = new PgBoss({
    ...postgresRoute(url).options,
    max: 1,
    schedule: false,
    supervise: false,
  } as ConstructorOptions);
  // An error of a call rejects it as well.
  boss.on('error', () => {});
  await boss.start();
  try {
    for (const kind of kinds) await createOrUpdateQueue(boss, kind);
  } finally {
    await boss.stop({ graceful: false });
  }
}

async function createOrUpdateQueue(boss: PgBoss, kind: JobKind<never>): Promise<void> {
  const options: QueueOptions & { notify: boolean } = {
    notify: true,
    expireInSeconds: Math.min(kind.deadlineSeconds + behindSeconds, maxExpirySeconds),
    heartbeatSeconds: silentAfterSeconds + behindSeconds,
    retryLimit: kind.retries,
    retryDelay: kind.firstRetrySeconds,
    retryBackoff: true,
    retryDelayMax: kind.maxRetrySeconds,
    retentionSeconds: tenYearsSeconds,
    deleteAfterSeconds: never,
  };
  await boss.createQueue(kind.name, { ...options, policy: kind.key === undefined ? 'standard' : 'singleton' });
  await boss.updateQueue(kind.name, options);
}

/** pg-boss counts retries, we count attempts. */
function attemptOf({ id, attempt }: Claim): BossAttempt {
  return { id, retryCount: attempt - 1 };
}

/** Returns the ids that a command affected, which pg-boss's types do not declare. */
function affectedIds(response: object): readonly string[] {
  return (response as { settled: readonly string[] }).settled;
}
