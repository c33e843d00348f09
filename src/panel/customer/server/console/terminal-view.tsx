// Shows a serial line or a text console in a terminal.
import '@xterm/xterm/css/xterm.css';
import { FitAddon } from '@xterm/addon-fit';
import { Terminal } from '@xterm/xterm';
import { useEffect, useRef, type JSX } from 'react';
import type { Connection } from './console-connection.ts';
import classes from './console.module.css';

const scrollbackLines = 5000;

export function TerminalView({ connection, label }: { connection: Connection; label: string }): JSX.Element {
  const container = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const element = container.current!;
    const { fontFamily } = getComputedStyle(element);
    const terminal = new Terminal({
      fontFamily,
      fontSize: 14,
      lineHeight: 1.2,
      scrollback: scrollbackLines,
      cursorBlink: true,
      screenReaderMode: true,
      theme: { background: '#0f1417', foreground: '#e6edf0', cursor: '#66d1dd', selectionBackground: '#0b7285' },
    });
    const fit = new FitAddon();
    terminal.loadAddon(fit);
    terminal.open(element);
    terminal.textarea?.setAttribute('aria-label', label);
    const encoder = new TextEncoder();
    terminal.onData((text) => connection.send(encoder.encode(text)));
    // Mouse reports are bytes, not text.
    terminal.onBinary((text) => connection.send(Uint8Array.from(text, (letter) => letter.charCodeAt(0))));
    connection.listen((frame) => terminal.write(frame));
    const observer = new ResizeObserver(() => fit.fit());
    observer.observe(element);
    terminal.focus();
    return () => {
      observer.disconnect();
      terminal.dispose();
    };
  }, [connection, label]);
  return <div ref={container} className={classes['view']} />;
}
