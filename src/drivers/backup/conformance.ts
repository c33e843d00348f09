// Tests that every backup repository must pass.
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import type { BackupRepository } from './driver.ts';

export interface StartedRepository extends AsyncDisposable {
  readonly repository: BackupRepository;
  /** The same repository with another password, if it is encrypted. */
  readonly stranger?: BackupRepository;
  /** Makes the storage unavailable. */
  takeOffline(): Promise<void>;
}

/** Restic has the lowest priority, so it may wait for long on a busy machine. */
const patience = (): AbortSignal => AbortSignal.timeout(600_000);

export function describeRepository(
  title: string,
  options: object,
  start: () => Promise<StartedRepository>,
  abilities: 'encrypted and deduplicated' | 'plain',
): void {
  describe(title, { ...options, concurrency: 1 }, () => {
    let started: StartedRepository;
    before(async () => void (started = await start()));
    after(() => started?.[Symbol.asyncDispose]());
    // Restic divides content where its random polynomial says, at the latest after 8 MB: what is before that is not stored again.
    const content = randomBytes(16 * 2 ** 20);
    const changedAt = 15 * 2 ** 20;
    const changed = Buffer.concat([content.subarray(0, changedAt), randomBytes(1000), content.subarray(changedAt)]);
    const snapshots: string[] = [];
    const isEncrypted = abilities === 'encrypted and deduplicated';

    it('stores content and returns it', async () => {
      const { repository } = started;
      await repository.probe(patience());
      await repository.create(patience());
      const { snapshot, addedBytes } = await repository.store(chunksOf(content), patience());
      assert.ok(addedBytes >= content.length, String(addedBytes));
      assert.deepEqual(await collect(repository.read(snapshot, patience())), content);
      snapshots.push(snapshot);
    });

    it('stores only what changed', async () => {
      const { repository } = started;
      await repository.create(patience());
      const { snapshot, addedBytes } = await repository.store(chunksOf(changed), patience());
      if (isEncrypted) assert.ok(addedBytes < content.length * 0.8, String(addedBytes));
      assert.deepEqual(await collect(repository.read(snapshot, patience())), changed);
      snapshots.push(snapshot);
    });

    it('stores nothing if its source fails, or if it is aborted', async () => {
      const { repository } = started;
      const broken = async function* (): AsyncGenerator<Buffer> {
        yield randomBytes(100_000);
        throw new Error('the source failed');
      };
      await assert.rejects(repository.store(broken(), patience()), /the source failed/);
      const controller = new AbortController();
      const endless = async function* (): AsyncGenerator<Buffer> {
        for (let count = 0; ; count++) {
          if (count === 5) controller.abort(new Error('enough'));
          yield randomBytes(100_000);
        }
      };
      await assert.rejects(repository.store(endless(), controller.signal));
    });

    if (isEncrypted)
      it('is unreadable with another password', async () => {
        await assert.rejects(collect(started.stranger!.read(snapshots[0]!, patience())), { code: 'backup_error' });
      });

    it('removes everything but what is named', async () => {
      const { repository } = started;
      const [first, second] = snapshots as [string, string];
      const bytes = await repository.keepOnly([second], patience());
      assert.ok(bytes >= content.length && bytes < 1.5 * content.length, String(bytes));
      await assert.rejects(collect(repository.read(first, patience())), { code: 'backup_error' });
      assert.deepEqual(await collect(repository.read(second, patience())), changed);
      await repository.check(patience());
    });

    it('reports storage that is offline, and stores nothing', async () => {
      const { repository } = started;
      await started.takeOffline();
      await assert.rejects(repository.probe(patience()), { code: 'backup_unreachable' });
      await assert.rejects(repository.create(patience()), { code: 'backup_unreachable' });
      await assert.rejects(repository.store(chunksOf(content), patience()));
    });
  });
}

export async function* chunksOf(content: Buffer, bytes = 65_536): AsyncGenerator<Buffer> {
  for (let at = 0; at < content.length; at += bytes) yield content.subarray(at, at + bytes);
}

export async function collect(content: AsyncIterable<Buffer>): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of content) chunks.push(chunk);
  return Buffer.concat(chunks);
}
