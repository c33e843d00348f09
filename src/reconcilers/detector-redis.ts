// Fetches findings that detectors leave in Redis, on one instance at a time. A finding is recorded before it is removed, so that
// none is lost if the process dies in between; a finding recorded twice makes one event.
import type { Finding, RedisFindings } from '#drivers/detector/redis.ts';
import type { Log } from '#lib/log.ts';
import type { Reconciler } from './reconciler.ts';

export interface RedisDetector {
  readonly name: string;
  readonly url: string;
  readonly prefix: string;
}

export interface DetectorRedisParts {
  readonly log: Log;
  readonly detectors: () => Promise<readonly RedisDetector[]>;
  /** Ignores what is not a finding. */
  readonly record: (detector: string, finding: Finding) => Promise<void>;
}

/** A site file with a new detector signals the reconciler. */
const secondsWithoutDetectors = 60;

export function detectorRedis(parts: DetectorRedisParts): Reconciler {
  let open: { readonly detector: RedisDetector; readonly findings: RedisFindings } | undefined;

  /** Keeps one connection between runs; sites with several Redis servers reopen the others. */
  async function findingsOf(detector: RedisDetector): Promise<RedisFindings> {
    if (open?.detector.url === detector.url && open.detector.prefix === detector.prefix) return open.findings;
    await disconnect();
    // Loaded on demand: a site without Redis should stay small.
    const { openRedisFindings } = await import('#drivers/detector/redis.ts');
    const findings = await openRedisFindings(detector);
    open = { detector, findings };
    return findings;
  }

  async function disconnect(): Promise<void> {
    const previous = open;
    open = undefined;
    await previous?.findings[Symbol.asyncDispose]();
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
      const detectors = await parts.detectors();
      for (const detector of detectors) {
        try {
          await fetch(detector, signal);
        } catch (error) {
          failed++;
          await disconnect();
          // The error message may contain the URL, and the URL a password.
          parts.log.warn(
            { detector: detector.name, code: (error as { code?: unknown }).code },
            'could not read findings from Redis',
          );
        }
      }
      if (signal.aborted) await disconnect();
      return { backlog: failed, ...(detectors.length === 0 && { againInSeconds: secondsWithoutDetectors }) };
    },
  };
}
