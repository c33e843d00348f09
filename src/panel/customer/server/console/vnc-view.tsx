// Shows the screen of a virtual machine with noVNC, on an existing connection.
import { useEffect, useImperativeHandle, useRef, type JSX, type Ref } from 'react';
import type { Connection } from './console-connection.ts';
import classes from './console.module.css';
import { keysymsBetween, namedKeysym, nextText, placeholder } from './touch-keyboard.ts';
import { t } from '../../../text/text.ts';

export interface VncControls {
  sendCtrlAltDel(): void;
  /** Opens the on-screen keyboard of a phone or tablet. */
  openKeyboard(): void;
}
export interface VncViewProps {
  readonly connection: Connection;
  readonly label: string;
  readonly controls: Ref<VncControls>;
}

/** The part of noVNC's API that is used here. */
interface Rfb {
  sendCtrlAltDel(): void;
  /** Presses and releases a key. */
  sendKey(keysym: number, code: null): void;
  scaleViewport: boolean;
  background: string;
  focus(): void;
  disconnect(): void;
}
type RfbConstructor = new (target: HTMLElement, channel: Channel) => Rfb;

export function VncView({ connection, label, controls }: VncViewProps): JSX.Element {
  const container = useRef<HTMLDivElement>(null);
  const vnc = useRef<Rfb>(undefined);
  const keyboard = useRef<HTMLTextAreaElement>(null);
  const typed = useRef(placeholder);
  useImperativeHandle(
    controls,
    () => ({
      sendCtrlAltDel: () => vnc.current?.sendCtrlAltDel(),
      openKeyboard: () => {
        keyboard.current?.focus();
        // At the end of the text, so that typing adds to it.
        keyboard.current?.setSelectionRange(typed.current.length, typed.current.length);
      },
    }),
    [],
  );
  const press = (keysym: number): void => vnc.current?.sendKey(keysym, null);
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
      if (document.activeElement !== keyboard.current) rfb.focus();
      vnc.current = rfb;
    })();
    return () => {
      isDisposed = true;
      vnc.current?.disconnect();
      vnc.current = undefined;
    };
  }, [connection, label]);
  return (
    <>
      <textarea
        ref={keyboard}
        className={classes['keyboard']}
        aria-label={t('Keyboard input for the console')}
        defaultValue={placeholder}
        autoCapitalize="none"
        autoComplete="off"
        autoCorrect="off"
        spellCheck={false}
        tabIndex={-1}
        onKeyDown={(event) => {
          const keysym = namedKeysym(event.key);
          if (keysym === undefined) return;
          event.preventDefault();
          press(keysym);
        }}
        onInput={({ currentTarget }) => {
          keysymsBetween(typed.current, currentTarget.value).forEach(press);
          typed.current = nextText(currentTarget.value);
          if (typed.current !== currentTarget.value) currentTarget.value = typed.current;
        }}
      />
      <div ref={container} className={classes['view']} />
    </>
  );
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
