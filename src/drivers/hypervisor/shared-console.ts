// A text console that any number of viewers share, as text or as a VNC screen. A hypervisor connects a console once: a
// second connection would be rejected, or end the first.
import { duplexPair, type Duplex } from 'node:stream';
import { consoleShare } from '#lib/main-thread-share.ts';
import { serveFramebuffer } from '#protocols/rfb/framebuffer.ts';
import { serveOpenHandshake } from '#protocols/rfb/handshake.ts';
import { createKeyboard } from '#protocols/terminal/keyboard.ts';
import type { TerminalScreen } from '#protocols/terminal/screen.ts';
import type { TextConsole, VncConsole } from './driver.ts';

/** What is interpreted at a time. Some sequences, such as clearing the screen, cost much for their length. */
const maxBytesAtOnce = 2048;
/** After this much work on a flood of output, the machine waits. */
const maxWorkMs = 5;
/** A viewer that cannot keep up is disconnected, rather than buffered without limit. */
const maxQueueBytes = 1024 * 1024;
/** A machine that reads none of its input loses what is beyond this, as on any terminal. */
const maxInputBytes = 4096;

interface SharedConsole {
  readonly line: Duplex;
  readonly screen: TerminalScreen;
  /** Whether anything was printed while the console is open, which also proves that it takes input. */
  hasOutput: boolean;
  /** By the near end of each viewer's stream, with what to do with output. */
  readonly viewers: Map<Duplex, (output: Buffer) => void>;
}

export function shareConsoles(console: TextConsole): { readonly text: TextConsole; readonly vnc: VncConsole } {
  const consoles = new Map<string, Promise<SharedConsole>>();

  const find = async (name: string, signal: AbortSignal): Promise<SharedConsole> => {
    for (;;) {
      let opening = consoles.get(name);
      if (opening === undefined) {
        const forget = (): void => void consoles.delete(name);
        opening = openShared(console, name, signal);
        consoles.set(name, opening);
        opening.then(({ line }) => (line.closed ? forget() : line.once('close', forget)), forget);
      }
      const shared = await opening;
      if (!shared.line.destroyed) return shared;
      if (!shared.line.closed) await new Promise((resolve) => shared.line.once('close', resolve));
    }
  };

  /** Returns the far end of the new viewer's stream. */
  const join = (
    { line, viewers }: SharedConsole,
    onOutput: (near: Duplex, output: Buffer) => void,
  ): [Duplex, Duplex] => {
    const [far, near] = duplexPair();
    viewers.set(near, (output) => onOutput(near, output));
    for (const end of [far, near]) end.on('error', () => {});
    far.on('close', () => near.destroy());
    near.on('close', () => {
      far.destroy();
      viewers.delete(near);
      if (viewers.size === 0) line.destroy();
    });
    return [far, near];
  };

  return {
    text: {
      async open(name, signal) {
        const shared = await find(name, signal);
        const [far, near] = join(shared, (viewer, output) => {
          if (viewer.writableLength > maxQueueBytes) viewer.destroy();
          else viewer.write(output);
        });
        if (shared.hasOutput) near.write(shared.screen.text());
        near.on('data', (input: Buffer) => {
          if (shared.line.write(input)) return;
          near.pause();
          shared.line.once('drain', () => near.resume());
        });
        near.on('end', () => near.destroy());
        return far;
      },
    },
    vnc: {
      async open(name, signal) {
        const shared = await find(name, signal);
        const [far, near] = join(shared, () => {});
        const keyboard = createKeyboard(shared.screen.isApplicationMode);
        const onKey = (keysym: number, move: 'down' | 'up'): void => {
          const typed = keyboard(keysym, move);
          if (typed !== undefined) typeOn(shared.line, typed);
        };
        serveOpenHandshake(near)
          .then(() => serveFramebuffer(near, shared.screen, { onKey, pauseAfter: consoleShare.pauseAfter }))
          // A viewer may disconnect or send anything at any time.
          .catch(() => {})
          .finally(() => near.destroy());
        return { stream: far, password: undefined };
      },
    },
  };
}

function typeOn(line: Duplex, text: string): void {
  if (line.writableLength < maxInputBytes) line.write(text);
}

async function openShared(console: TextConsole, name: string, signal: AbortSignal): Promise<SharedConsole> {
  const { createTerminalScreen } = await import('#protocols/terminal/screen.ts');
  const earlier = await console.history?.(name, signal);
  // Queries in earlier output have been answered.
  let open: Duplex | undefined;
  const screen = await createTerminalScreen(name, (reply) => open && typeOn(open, reply));
  if (earlier !== undefined) await screen.write(earlier);
  const line = (open = await console.open(name, signal));
  line.on('error', () => {});
  const shared: SharedConsole = { line, screen, hasOutput: false, viewers: new Map() };
  void pump(shared);
  return shared;
}

async function pump(shared: SharedConsole): Promise<void> {
  const { line, screen, viewers } = shared;
  let spentMs = 0;
  try {
    for await (const output of line as AsyncIterable<Buffer>) {
      shared.hasOutput = true;
      for (const onOutput of viewers.values()) onOutput(output);
      for (let at = 0; at < output.length; at += maxBytesAtOnce) {
        const startMs = performance.now();
        await screen.write(output.subarray(at, at + maxBytesAtOnce));
        spentMs += performance.now() - startMs;
        if (spentMs < maxWorkMs) continue;
        await consoleShare.pauseAfter(spentMs);
        spentMs = 0;
      }
    }
  } catch {
    // The hypervisor may end the line at any time.
  } finally {
    line.destroy();
    for (const viewer of viewers.keys()) viewer.destroy();
    screen[Symbol.dispose]();
  }
}
