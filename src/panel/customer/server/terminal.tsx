// A serial line or a text console, in a terminal.
import '@xterm/xterm/css/xterm.css';
import { FitAddon } from '@xterm/addon-fit';
import { Terminal } from '@xterm/xterm';
import { useEffect, useRef, type JSX } from 'react';
import type { Line } from './console-link.ts';
import classes from './console.module.css';

const scrollbackLines = 5000;

export function TerminalView({ line, label }: { line: Line; label: string }): JSX.Element {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const element = place.current!;
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
    terminal.onData((text) => line.send(encoder.encode(text)));
    // Mouse reports are bytes, not text.
    terminal.onBinary((text) => line.send(Uint8Array.from(text, (letter) => letter.charCodeAt(0))));
    line.listen((frame) => terminal.write(frame));
    const observer = new ResizeObserver(() => fit.fit());
    observer.observe(element);
    terminal.focus();
    return () => {
      observer.disconnect();
      terminal.dispose();
    };
  }, [line, label]);
  return <div ref={place} className={classes['view']} />;
}
