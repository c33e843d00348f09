// The screen of a virtual machine, by noVNC on a connection that is there already.
import { useEffect, useImperativeHandle, useRef, type JSX, type Ref } from 'react';
import type { Line } from './console-link.ts';
import classes from './console.module.css';

export interface ScreenKeys {
  sendCtrlAltDel(): void;
}
export interface ScreenViewProps {
  readonly line: Line;
  readonly label: string;
  readonly keys: Ref<ScreenKeys>;
}

/** What is used of noVNC. */
interface Rfb extends ScreenKeys {
  scaleViewport: boolean;
  background: string;
  focus(): void;
  disconnect(): void;
}
type RfbConstructor = new (target: HTMLElement, channel: Channel) => Rfb;

export function ScreenView({ line, label, keys }: ScreenViewProps): JSX.Element {
  const place = useRef<HTMLDivElement>(null);
  const screen = useRef<Rfb>(undefined);
  useImperativeHandle(keys, () => ({ sendCtrlAltDel: () => screen.current?.sendCtrlAltDel() }), []);
  useEffect(() => {
    let isOver = false;
    void (async () => {
      // @ts-expect-error It comes without types; what is used of it stands above.
      const { default: Rfb } = (await import('@novnc/novnc')) as { default: RfbConstructor };
      if (isOver) return;
      const rfb = new Rfb(place.current!, channelOf(line));
      rfb.scaleViewport = true;
      rfb.background = 'transparent';
      const canvas = place.current!.querySelector('canvas');
      canvas?.setAttribute('aria-label', label);
      canvas?.setAttribute('role', 'img');
      rfb.focus();
      screen.current = rfb;
    })();
    return () => {
      isOver = true;
      screen.current?.disconnect();
      screen.current = undefined;
    };
  }, [line, label]);
  return <div ref={place} className={classes['view']} />;
}

/** A line as noVNC takes it: with the members of a WebSocket. It ends when the page ends it, not when the screen does. */
interface Channel {
  binaryType: string;
  readonly protocol: string;
  readonly readyState: string;
  onopen: (() => void) | null;
  onerror: (() => void) | null;
  onclose: (() => void) | null;
  onmessage: ((message: { data: ArrayBuffer }) => void) | null;
  send(data: Uint8Array<ArrayBuffer>): void;
  close(): void;
}

function channelOf(line: Line): Channel {
  const channel: Channel = {
    binaryType: 'arraybuffer',
    protocol: '',
    readyState: 'open',
    onopen: null,
    onerror: null,
    onclose: null,
    onmessage: null,
    // It writes into the same memory again as soon as this returns.
    send: (data) => line.send(data.slice()),
    close: () => {},
  };
  // After the constructor, which takes nothing yet.
  queueMicrotask(() => line.listen((frame) => channel.onmessage?.({ data: frame.buffer })));
  return channel;
}
