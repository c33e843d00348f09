// `hostyard detect`: FastNetMon's notify script. It takes the script's arguments and text, keeps them on disk, and hands them
// to the server, signed. It ends at once whatever the server does: a process in the background goes on trying where the server
// does not answer, so that nothing is lost. It loads nothing of the server, since an attack is no time to be slow.
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { hookSecret, signHook } from '#kernel/hook-signature.ts';
import { openSpool, type Sent, type Spool } from './detect-spool.ts';

interface Settings {
  readonly url: string;
  readonly name: string;
  readonly secret: string;
  readonly spool: string;
}

const usage = 'usage: hostyard detect [--config FILE] <ip> <direction> <pps> <ban|attack_details|unban>, text on stdin';
const defaultConfig = '/etc/hostyard/detector.json';
const actions = new Set(['ban', 'attack_details', 'unban', 'partial_block']);
const longestText = 128 * 1024;
const sendMs = 3000;
const firstPauseMs = 500;
const longestPauseMs = 30_000;
const triesMs = 24 * 3_600_000;

export async function detect(args: readonly string[]): Promise<void> {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: { config: { type: 'string' }, flush: { type: 'boolean' } },
  });
  const config = values.config ?? process.env['HOSTYARD_DETECTOR'] ?? defaultConfig;
  const settings = await readSettings(config);
  const spool = await openSpool(settings.spool);
  const send = (body: Buffer): Promise<Sent> => sendReport(settings, body);
  if (values.flush === true) return keepTrying(spool, send);
  await spool.put(reportOf(positionals, await standardInput()));
  if (!(await spool.send(send))) goOnInBackground(config);
}

function reportOf([address = '', direction = '', pps = '', action = '', ...more]: string[], text: string): object {
  if (!/^[0-9]{1,15}$/.test(pps) || !actions.has(action) || more.length > 0) throw new Error(usage);
  return { fastnetmon: { address, direction, packetsPerSecond: Number(pps), action, text }, at: Date.now() / 1000 };
}

async function standardInput(): Promise<string> {
  if (process.stdin.isTTY) return '';
  const chunks: Buffer[] = [];
  // To its end, also where it is longer than what is kept: whoever writes must not be left with a broken pipe.
  for await (const chunk of process.stdin) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).subarray(0, longestText).toString('utf8');
}

async function sendReport({ url, name, secret }: Settings, body: Buffer): Promise<Sent> {
  const id = randomUUID();
  const timestamp = Math.floor(Date.now() / 1000);
  try {
    const answer = await fetch(new URL(`/hooks/detector/${name}`, url), {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'webhook-id': id,
        'webhook-timestamp': String(timestamp),
        'webhook-signature': signHook(hookSecret(secret)!, id, timestamp, body),
      },
      body: new Uint8Array(body),
      signal: AbortSignal.timeout(sendMs),
    });
    const text = await answer.text();
    if (answer.ok) return 'recorded';
    process.stderr.write(`the server answered ${answer.status}: ${text.slice(0, 500)}\n`);
    return answer.status === 400 || answer.status === 413 ? 'refused' : 'later';
  } catch (error) {
    process.stderr.write(
      `the server did not answer (${String((error as Error).cause ?? error)}); the report is kept\n`,
    );
    return 'later';
  }
}

async function keepTrying(spool: Spool, send: (body: Buffer) => Promise<Sent>): Promise<void> {
  const giveUpAt = Date.now() + triesMs;
  await spool.inTurn('trying', async () => {
    for (let pauseMs = firstPauseMs; Date.now() < giveUpAt; pauseMs = Math.min(pauseMs * 2, longestPauseMs)) {
      if (await spool.send(send)) return true;
      await sleep(pauseMs);
    }
    return false;
  });
}

function goOnInBackground(config: string): void {
  const args = [...process.execArgv, import.meta.filename, '--config', config, '--flush'];
  spawn(process.execPath, args, { detached: true, stdio: 'ignore' }).unref();
}

async function readSettings(file: string): Promise<Settings> {
  const given = JSON.parse(await readFile(file, 'utf8')) as Partial<Settings>;
  for (const name of ['url', 'name', 'secret', 'spool'] as const) {
    if (typeof given[name] !== 'string') throw new Error(`${file}: ${name} is missing`);
  }
  if (hookSecret(given.secret!) === undefined) throw new Error(`${file}: secret is not whsec_ and base64`);
  return given as Settings;
}

if (import.meta.main) {
  try {
    await detect(process.argv.slice(2));
  } catch (error) {
    process.stderr.write(`${(error as Error).message}\n`);
    process.exitCode = 1;
  }
}
