// The console tab: connects automatically, shows the connection state and reconnects when the connection is lost.
import { Button, Card, Group, Loader, Text } from '@mantine/core';
import { lazy, Suspense, useCallback, useEffect, useRef, useState, type JSX, type RefObject } from 'react';
import { useChange } from '../../../data/operations.ts';
import { Dimmed } from '../../../parts/dimmed.tsx';
import { ActionButton, ConfirmButton } from '../../../parts/action-button.tsx';
import { Icon } from '../../../shell/icons.tsx';
import { connectConsole, type ConnectionState } from './console-connection.ts';
import classes from './console.module.css';
import { serverName, isVirtualMachine, useUnavailableReason, type ServerInfo } from '../device.ts';
import type { VncControls } from './vnc-view.tsx';

const TerminalView = lazy(async () => ({ default: (await import('./terminal-view.tsx')).TerminalView }));
const VncView = lazy(async () => ({ default: (await import('./vnc-view.tsx')).VncView }));

const stateLabels: Record<ConnectionState['status'], string> = {
  connecting: 'Connecting…',
  open: 'Connected',
  lost: 'Connection lost. Reconnecting…',
  ended: 'Ended',
};

export function ConsoleTab({ server }: { server: ServerInfo }): JSX.Element {
  const unavailableReason = useUnavailableReason()(server, 'device:console');
  if (unavailableReason !== undefined)
    return (
      <Card>
        <Text c="dimmed">The console is not available. {unavailableReason}</Text>
      </Card>
    );
  return <Console server={server} />;
}

function Console({ server: { device } }: { server: ServerInfo }): JSX.Element {
  const { service } = device;
  const mayBeVnc = isVirtualMachine(device);
  const [state, setState] = useState<ConnectionState>({ status: 'connecting' });
  const [attempt, setAttempt] = useState(0);
  const frame = useRef<HTMLDivElement>(null);
  const vncControls = useRef<VncControls>(null);
  const reset = useChange('deviceConsoleReset', { successMessage: 'Console reset', invalidates: ['auditGet'] });
  const reconnect = useCallback(() => setAttempt((count) => count + 1), []);
  useEffect(() => connectConsole({ service, mayBeVnc }, setState), [service, mayBeVnc, attempt]);
  const disconnectedReason = state.status === 'open' ? undefined : 'The console is not connected.';
  const view = state.status === 'open' ? state.view : mayBeVnc ? 'vnc' : 'text';
  return (
    <Card>
      <Group justify="space-between" mb="sm" gap="xs">
        <Text size="sm" role="status" fw={600}>
          {stateLabels[state.status]}
        </Text>
        <Group gap="xs">
          {view === 'vnc' ? (
            <ActionButton
              variant="default"
              size="xs"
              disabledReason={disconnectedReason}
              onClick={() => vncControls.current?.sendCtrlAltDel()}
            >
              Ctrl+Alt+Del
            </ActionButton>
          ) : (
            !mayBeVnc && (
              <ActionButton
                variant="default"
                size="xs"
                disabledReason={disconnectedReason}
                onClick={() => state.status === 'open' && state.connection.sendBreak()}
              >
                Send break
              </ActionButton>
            )
          )}
          <Button variant="default" size="xs" onClick={reconnect}>
            Reconnect
          </Button>
          <Button variant="default" size="xs" onClick={() => void frame.current?.requestFullscreen()}>
            Full screen
          </Button>
          <ConfirmButton
            variant="default"
            size="xs"
            question={`Reset the console of ${serverName(device)}?`}
            consequence="All console sessions of this server are closed, including those of other users and the Java console. The server keeps running."
            confirmLabel="Reset console"
            onConfirm={() => reset.mutateAsync({ service })}
          >
            Reset
          </ConfirmButton>
        </Group>
      </Group>
      <div ref={frame} className={classes['frame']}>
        <ConsoleView
          state={state}
          label={`Console of ${serverName(device)}`}
          vncControls={vncControls}
          reconnect={reconnect}
        />
      </div>
      <Dimmed size="xs" mt="xs">
        {mayBeVnc
          ? 'The screen of the virtual machine. Click it to type.'
          : 'The serial console of the server, including earlier output. Its operating system must have a console on the serial port to respond.'}
      </Dimmed>
    </Card>
  );
}

interface ConsoleViewProps {
  readonly state: ConnectionState;
  readonly label: string;
  readonly vncControls: RefObject<VncControls | null>;
  readonly reconnect: () => void;
}

function ConsoleView({ state, label, vncControls, reconnect }: ConsoleViewProps): JSX.Element {
  if (state.status === 'open')
    return (
      <Suspense fallback={<Connecting />}>
        {state.view === 'vnc' ? (
          <VncView connection={state.connection} label={label} controls={vncControls} />
        ) : (
          <TerminalView connection={state.connection} label={label} />
        )}
      </Suspense>
    );
  if (state.status === 'connecting') return <Connecting />;
  return (
    <div className={classes['message']} role="alert">
      <Icon name="warning" size={32} />
      <Text>{state.reason}</Text>
      {state.status === 'ended' && <Button onClick={reconnect}>Reconnect</Button>}
    </div>
  );
}

function Connecting(): JSX.Element {
  return (
    <div className={classes['message']}>
      <Loader color="brand.4" aria-hidden="true" />
      <Text>Connecting to the console…</Text>
    </div>
  );
}
