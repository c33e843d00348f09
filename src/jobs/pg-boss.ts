// The engine for PostgreSQL: one pg-boss queue a kind, on many nodes. pg-boss brings the tables, the sending, the retries and
// the upkeep; we fetch ourselves, because its workers wait for a whole batch where ours fill each place as it becomes free.
//
// It has connections of its own, opened when the first job is enqueued or worked on: a command that does neither needs none.
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
} from '#store/work/boss-jobs.ts';
import { postgresRoute } from '#store/engine/postgres-route.ts';
import type { JobKind, JobParts, Jobs } from './jobs.ts';
import { errorText, type Claim, type Ledger, type Outcome } from './ledger.ts';
import { runner } from './runner.ts';
import { timeOrderedId } from './time-ordered-id.ts';

const connections = 5;
/** Its upkeep may take long; a server that hangs takes longer. */
const answerMs = 60_000;
const silentAfterSeconds = 12;
/** pg-boss's own rules stand behind ours, for kinds that no node works on any more. */
const behindSeconds = 30;
const tenYearsSeconds = 10 * 365 * 86_400;
/** pg-boss takes no longer one. */
const longestExpirySeconds = 86_400;
const never = 0;

export function pgBossJobs({ store, clock, log }: JobParts, url: string): Jobs {
  const queues = new Map<string, Promise<void>>();
  let opened: Promise<PgBoss> | undefined;
  const open = (): Promise<PgBoss> =>
    (opened ??= openBoss().catch((error: unknown) => {
      // The database was away; the next who asks may find it there.
      opened = undefined;
      throw error;
    }));

  async function openBoss(): Promise<PgBoss> {
    const boss = new PgBoss({
      ...postgresRoute(url).options,
      max: connections,
      query_timeout: answerMs,
      schedule: false,
      useListenNotify: true,
    } as ConstructorOptions);
    boss.on('error', (error) => log.error({ err: error }, 'pg-boss failed'));
    boss.on('warning', (warning) => log.warn({ warning }, 'pg-boss warns'));
    const database = boss.getDb();
    const listen = database.listen!.bind(database);
    database.listen = (channel, notified, connected) =>
      listen(
        channel,
        (queue) => {
          notified(queue);
          running.wake(queue);
        },
        connected,
      );
    await boss.start();
    return boss;
  }

  /** The boss, with a queue for this kind as its code has it now. */
  async function bossFor(kind: JobKind<never>): Promise<PgBoss> {
    const boss = await open();
    let queue = queues.get(kind.name);
    if (queue === undefined) {
      queue = settleQueue(boss, kind);
      queues.set(kind.name, queue);
      queue.catch(() => queues.delete(kind.name));
    }
    await queue;
    return boss;
  }

  const ledger: Ledger = {
    async turn(kind, ended, places) {
      const boss = await open();
      await settle(boss, kind.name, ended);
      if (places === 0) return [];
      const rows =
        kind.key === undefined
          ? await boss.fetch<object>(kind.name, { batchSize: places })
          : await store.transaction((queries) => bossJobsClaimByKey(queries, kind.name, places));
      return rows.map(({ id, data, retryCount }) => ({ id, kind: kind.name, attempt: retryCount + 1, payload: data }));
    },
    due: (kinds) => bossJobsDue(store.queries, kinds),
    hold: (queries, claim) => bossJobLock(queries, claim.kind, attemptOf(claim)),
    async finish(queries, claim) {
      const boss = await open();
      return touched(await boss.deleteJob(claim.kind, attemptOf(claim), { db: fromKysely(queries) })).length > 0;
    },
    async beat(claims, kinds) {
      const boss = await open();
      const names = kinds.map((kind) => kind.name);
      const lost: Claim[] = [];
      for (const name of names) {
        const own = claims.filter((claim) => claim.kind === name);
        if (own.length === 0) continue;
        const alive = new Set(touched(await boss.touch(name, own.map(attemptOf))));
        lost.push(...own.filter((claim) => !alive.has(claim.id)));
      }
      const error = 'its process ended before it did';
      const again = await bossJobsTakeOver(store.queries, names, silentAfterSeconds, error);
      if (again.length > 0) log.warn({ jobs: again.length }, 'jobs of a process that is gone are run again');
      for (const name of again) running.wake(name);
      return lost;
    },
  };
  const running = runner(store, ledger, log);

  async function settle(boss: PgBoss, name: string, ended: readonly Outcome[]): Promise<void> {
    const done = ended.filter((outcome) => outcome.how === 'done').map((outcome) => attemptOf(outcome.claim));
    if (done.length > 0) await boss.deleteJob(name, done);
    for (const { claim, how, error } of ended) {
      if (how === 'released') await bossJobRelease(store.queries, name, attemptOf(claim));
      if (how === 'failed') await boss.fail(name, attemptOf(claim), { message: errorText(error) });
    }
  }

  return {
    async enqueue(queries, kind, payload, when) {
      const boss = await bossFor(kind);
      const id = timeOrderedId(clock.now());
      const key = kind.key?.(payload);
      await boss.send(kind.name, payload, {
        id,
        db: fromKysely(queries),
        ...(key === undefined ? {} : { singletonKey: key }),
        // From now on, not from a moment: the database's clock may have been set a moment ago.
        ...(when === undefined ? {} : { startAfter: Math.max(0, when.runAt - clock.now()) / 1000 }),
      });
      return id;
    },
    async start(workers) {
      for (const { kind } of workers) await bossFor(kind);
      running.start(workers);
    },
    async stop() {
      await running.stop();
      const boss = await opened;
      await boss?.stop({ graceful: false });
    },
    async keysAlive(kind, keys) {
      await open();
      return new Set(await bossKeysAlive(store.queries, kind.name, keys));
    },
    async failed() {
      await open();
      const rows = await bossJobsFailed(store.queries);
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
      if (kind !== undefined) running.wake(kind);
      return kind !== undefined;
    },
    async counts() {
      await open();
      const rows = await bossJobsCount(store.queries);
      return new Map(rows.map(({ name, ...counts }) => [name, counts]));
    },
  };
}

async function settleQueue(boss: PgBoss, kind: JobKind<never>): Promise<void> {
  const options: QueueOptions & { notify: boolean } = {
    notify: true,
    expireInSeconds: Math.min(kind.deadlineSeconds + behindSeconds, longestExpirySeconds),
    heartbeatSeconds: silentAfterSeconds + behindSeconds,
    retryLimit: kind.retries,
    retryDelay: kind.firstRetrySeconds,
    retryBackoff: true,
    retryDelayMax: kind.longestRetrySeconds,
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

/** The ids that a command found, which pg-boss's types do not tell of. */
function touched(response: object): readonly string[] {
  return (response as { settled: readonly string[] }).settled;
}
