// Reads attacks that FastNetMon stores in Redis when it bans an address. It only sets a key, with neither a time nor a
// notice of the end, so each finding is removed once it is recorded. A key that FastNetMon has set again in between
// stays.
import { createClient } from '@redis/client';

export interface Finding {
  readonly key: string;
  readonly text: string;
}

export interface RedisFindings extends AsyncDisposable {
  read(): Promise<Finding[]>;
  /** Does nothing if the key has changed. */
  remove(finding: Finding): Promise<void>;
}

const connectTimeoutMs = 3000;
const commandTimeoutMs = 5000;
const scanCount = 100;
/** FastNetMon writes a few kilobytes; anything much larger is not a finding. */
const maxFindingBytes = 256 * 1024;
/** The rest is read in the next run. */
const maxFindings = 1000;
const removeIfUnchanged =
  "if redis.call('get', KEYS[1]) == ARGV[1] then return redis.call('del', KEYS[1]) end return 0";

export async function openRedisFindings(settings: {
  readonly url: string;
  readonly prefix: string;
}): Promise<RedisFindings> {
  const client = createClient({
    url: settings.url,
    // Callers retry with a new connection, so this one does not reconnect.
    socket: { connectTimeout: connectTimeoutMs, reconnectStrategy: false },
    commandOptions: { timeout: commandTimeoutMs },
    disableOfflineQueue: true,
  });
  // Errors are reported by the calls that they affect.
  client.on('error', () => {});
  await client.connect();
  const pattern = `${settings.prefix.replaceAll(/[*?[\]\\]/g, '\\$&')}_*_information`;

  return {
    async read() {
      const findings: Finding[] = [];
      for await (const keys of client.scanIterator({ MATCH: pattern, COUNT: scanCount })) {
        for (const key of keys) {
          if (findings.length >= maxFindings) return findings;
          if ((await client.strLen(key)) > maxFindingBytes) continue;
          const text = await client.get(key);
          if (text !== null) findings.push({ key, text });
        }
      }
      return findings;
    },
    async remove({ key, text }) {
      await client.eval(removeIfUnchanged, { keys: [key], arguments: [text] });
    },
    [Symbol.asyncDispose]: async () => client.destroy(),
  };
}
