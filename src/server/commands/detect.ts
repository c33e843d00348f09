// `hostyard detect`, the notify script of FastNetMon: spools its arguments and text, and sends them to the server, signed. It
// never waits for the server; a background process retries, so that no report is lost. It loads none of the server's code,
// because it must be fast during an attack.
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { hookSecret, signHook } from '#lib/hook-signature.ts';
import { openSpool, type SendResult, type Spool } from './detect-spool.ts';

interface Settings {
  readonly url: string;
  readonly name: string;
  readonly secret: string;
  readonly spool: string;
}

export const usage =
  '[--config FILE] <ip> <direction> <pps> <ban|attack_details|unban>, with the text on standard input';
const defaultConfig = '/etc/hostyard/detector.json';
const actions = new Set(['ban', 'attack_details', 'unban', 'partial_block']);
const maxTextBytes = 128 * 1024;
const sendTimeoutMs = 3000;
const firstPauseMs = 500;
const maxPauseMs = 30_000;
const retryForMs = 24 * 3_600_000;

export async function detect(args: readonly string[]): Promise<void> {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: { config: { type: 'string' }, flush: { type: 'boolean' } },
  });
  const config = values.config ?? process.env['HOSTYARD_DETECTOR'] ?? defaultConfig;
  const settings = await readSettings(config);
  const spool = await openSpool(settings.spool);
  const send = (body: Buffer): Promise<SendResult> => sendReport(settings, body);
  if (values.flush === true) return keepTrying(spool, send);
  await spool.put(parseReport(positionals, await readStandardInput()));
  if (!(await spool.send(send))) retryInBackground(config);
}

function parseReport([address = '', direction = '', pps = '', action = '', ...extra]: string[], text: string): object {
  if (!/^[0-9]{1,15}$/.test(pps) || !actions.has(action) || extra.length > 0)
    throw new Error(`usage: hostyard detect ${usage}`);
  return { fastnetmon: { address, direction, packetsPerSecond: Number(pps), action, text }, at: Date.now() / 1000 };
}

async function readStandardInput(): Promise<string> {
  if (process.stdin.isTTY) return '';
  const chunks: Buffer[] = [];
  // Reads to the end, even beyond the limit: the writer must not get a broken pipe.
  for await (const chunk of process.stdin) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).subarray(0, maxTextBytes).toString('utf8');
}

async function sendReport({ url, name, secret }: Settings, body: Buffer): Promise<SendResult> {
  const id = randomUUID();
  const timestamp = Math.floor(Date.now() / 1000);
  try {
    const response = await fetch(new URL(`/hooks/detector/${name}`, url), {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'webhook-id': id,
        'webhook-timestamp': String(timestamp),
        'webhook-signature': signHook(hookSecret(secret)!, id, timestamp, body),
      },
      body: new Uint8Array(body),
      signal: AbortSignal.timeout(sendTimeoutMs),
    });
    const text = await response.text();
    if (response.ok) return 'recorded';
    process.stderr.write(`the server responded with ${response.status}: ${text.slice(0, 500)}\n`);
    return response.status === 400 || response.status === 413 ? 'rejected' : 'later';
  } catch (error) {
    process.stderr.write(
      `the server did not respond (${String((error as Error).cause ?? error)}); the report is saved\n`,
    );
    return 'later';
  }
}

async function keepTrying(spool: Spool, send: (body: Buffer) => Promise<SendResult>): Promise<void> {
  const giveUpAt = Date.now() + retryForMs;
  await spool.withLock('trying', async () => {
    for (let pauseMs = firstPauseMs; Date.now() < giveUpAt; pauseMs = Math.min(pauseMs * 2, maxPauseMs)) {
      if (await spool.send(send)) return true;
      await sleep(pauseMs);
    }
    return false;
  });
}

function retryInBackground(config: string): void {
  const args = [...process.execArgv, import.meta.filename, '--config', config, '--flush'];
  spawn(process.execPath, args, { detached: true, stdio: 'ignore' }).unref();
}

async function readSettings(file: string): Promise<Settings> {
  const settings = JSON.parse(await readFile(file, 'utf8')) as Partial<Settings>;
  for (const name of ['url', 'name', 'secret', 'spool'] as const) {
    if (typeof settings[name] !== 'string') throw new Error(`${file}: ${name} is missing`);
  }
  if (hookSecret(settings.secret!) === undefined) throw new Error(`${file}: secret must be whsec_ followed by base64`);
  return settings as Settings;
}

if (import.meta.main) {
  try {
    await detect(process.argv.slice(2));
  } catch (error) {
    process.stderr.write(`${(error as Error).message}\n`);
    process.exitCode = 1;
  }
}
