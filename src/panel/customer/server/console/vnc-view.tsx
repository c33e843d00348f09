// Shows the screen of a virtual machine with noVNC, on an existing connection.
import { useEffect, useImperativeHandle, useRef, type JSX, type Ref } from 'react';
import type { Connection } from './console-connection.ts';
import classes from './console.module.css';

export interface VncControls {
  sendCtrlAltDel(): void;
}
export interface VncViewProps {
  readonly connection: Connection;
  readonly label: string;
  readonly controls: Ref<VncControls>;
}

/** The part of noVNC's API that is used here. */
interface Rfb extends VncControls {
  scaleViewport: boolean;
  background: string;
  focus(): void;
  disconnect(): void;
}
type RfbConstructor = new (target: HTMLElement, channel: Channel) => Rfb;

export function VncView({ connection, label, controls }: VncViewProps): JSX.Element {
  const container = useRef<HTMLDivElement>(null);
  const vnc = useRef<Rfb>(undefined);
  useImperativeHandle(controls, () => ({ sendCtrlAltDel: () => vnc.current?.sendCtrlAltDel() }), []);
  useEffect(() => {
    let isDisposed = false;
    void (async () => {
      // @ts-expect-error noVNC has no type declarations; see Rfb above.
      const { default: Rfb } = (await import('@novnc/novnc')) as { default: RfbConstructor };
      if (isDisposed) return;
      const rfb = new Rfb(container.current!, createChannel(connection));
      rfb.scaleViewport = true;
      rfb.background = 'transparent';
      const canvas = container.current!.querySelector('canvas');
      canvas?.setAttribute('aria-label', label);
      canvas?.setAttribute('role', 'img');
      rfb.focus();
      vnc.current = rfb;
    })();
    return () => {
      isDisposed = true;
      vnc.current?.disconnect();
      vnc.current = undefined;
    };
  }, [connection, label]);
  return <div ref={container} className={classes['view']} />;
}

/** A connection with the members of a WebSocket that noVNC uses. It is closed by the page, not by noVNC. */
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

function createChannel(connection: Connection): Channel {
  const channel: Channel = {
    binaryType: 'arraybuffer',
    protocol: '',
    readyState: 'open',
    onopen: null,
    onerror: null,
    onclose: null,
    onmessage: null,
    // noVNC reuses the buffer as soon as this returns.
    send: (data) => connection.send(data.slice()),
    close: () => {},
  };
  // noVNC attaches its handlers only after its constructor has run.
  queueMicrotask(() => connection.listen((frame) => channel.onmessage?.({ data: frame.buffer })));
  return channel;
}
