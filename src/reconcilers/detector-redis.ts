// Fetches what detectors leave in redis, on one node at a time: recorded first, removed after, so that nothing is lost where
// this process dies in between; what is then recorded twice makes one event.
import type { Finding, RedisFindings } from '#drivers/detector/redis.ts';
import type { Log } from '#kernel/log.ts';
import type { Reconciler } from './reconciler.ts';

export interface RedisDetector {
  readonly name: string;
  readonly url: string;
  readonly prefix: string;
}

export interface DetectorRedisParts {
  readonly log: Log;
  readonly detectors: () => Promise<readonly RedisDetector[]>;
  /** What is no finding is passed over. */
  readonly record: (detector: string, finding: Finding) => Promise<void>;
}

export function detectorRedis(parts: DetectorRedisParts): Reconciler {
  let open: { readonly detector: RedisDetector; readonly findings: RedisFindings } | undefined;

  /** One connection is kept from run to run; sites with several redis servers open the others anew. */
  async function findingsOf(detector: RedisDetector): Promise<RedisFindings> {
    if (open?.detector.url === detector.url && open.detector.prefix === detector.prefix) return open.findings;
    await hangUp();
    // Loaded only where it is used: a site without redis should stay small.
    const { openRedisFindings } = await import('#drivers/detector/redis.ts');
    const findings = await openRedisFindings(detector);
    open = { detector, findings };
    return findings;
  }

  async function hangUp(): Promise<void> {
    const last = open;
    open = undefined;
    await last?.findings[Symbol.asyncDispose]();
  }

  async function fetch(detector: RedisDetector, signal: AbortSignal): Promise<void> {
    const findings = await findingsOf(detector);
    for (const finding of await findings.read()) {
      if (signal.aborted) return;
      await parts.record(detector.name, finding);
      await findings.remove(finding);
    }
  }

  return {
    name: 'detector-redis',
    everySeconds: 2,
    deadlineSeconds: 60,
    async run(signal) {
      let failed = 0;
      for (const detector of await parts.detectors()) {
        try {
          await fetch(detector, signal);
        } catch (error) {
          failed++;
          await hangUp();
          // The message may hold the URL, and that a password.
          parts.log.warn({ detector: detector.name, code: (error as { code?: unknown }).code }, 'redis was not read');
        }
      }
      if (signal.aborted) await hangUp();
      return { backlog: failed };
    },
  };
}
