// What FastNetMon leaves in redis when it bans an address. It sets a key and says no more: not when, and nothing when the
// attack ends. So each finding is removed once it is recorded; what FastNetMon has set anew meanwhile stays.
import { createClient } from '@redis/client';

export interface Finding {
  readonly key: string;
  readonly text: string;
}

export interface RedisFindings extends AsyncDisposable {
  read(): Promise<Finding[]>;
  /** Nothing where it is another one by now. */
  remove(finding: Finding): Promise<void>;
}

const connectMs = 3000;
const commandMs = 5000;
const keysAtOnce = 100;
/** FastNetMon writes a few kilobytes; what is far beyond them is none of its findings. */
const longestFindingBytes = 256 * 1024;
/** The rest is read in the next run. */
const mostFindings = 1000;
const removeUnchanged = "if redis.call('get', KEYS[1]) == ARGV[1] then return redis.call('del', KEYS[1]) end return 0";

export async function openRedisFindings(settings: {
  readonly url: string;
  readonly prefix: string;
}): Promise<RedisFindings> {
  const client = createClient({
    url: settings.url,
    // Whoever asks tries again: a connection that is lost is opened anew, not waited for.
    socket: { connectTimeout: connectMs, reconnectStrategy: false },
    commandOptions: { timeout: commandMs },
    disableOfflineQueue: true,
  });
  // Each failure is told to the call that meets it.
  client.on('error', () => {});
  await client.connect();
  const pattern = `${settings.prefix.replaceAll(/[*?[\]\\]/g, '\\$&')}_*_information`;

  return {
    async read() {
      const findings: Finding[] = [];
      for await (const keys of client.scanIterator({ MATCH: pattern, COUNT: keysAtOnce })) {
        for (const key of keys) {
          if (findings.length >= mostFindings) return findings;
          if ((await client.strLen(key)) > longestFindingBytes) continue;
          const text = await client.get(key);
          if (text !== null) findings.push({ key, text });
        }
      }
      return findings;
    },
    async remove({ key, text }) {
      await client.eval(removeUnchanged, { keys: [key], arguments: [text] });
    },
    [Symbol.asyncDispose]: async () => client.destroy(),
  };
}
