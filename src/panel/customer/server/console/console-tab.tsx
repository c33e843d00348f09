// The console tab: connects automatically, shows the connection state and reconnects when the connection is lost.
import { Button, Card, Group, Loader, Text } from '@mantine/core';
import { lazy, Suspense, useCallback, useEffect, useRef, useState, type JSX, type RefObject } from 'react';
import { useChange, useDeviceApi } from '../../../data/operations.ts';
import { Dimmed } from '../../../parts/dimmed.tsx';
import { ActionButton } from '../../../parts/action-button.tsx';
import { ConfirmButton } from '../../../parts/confirm-button.tsx';
import { notifyError } from '../../../parts/notify-error.ts';
import { Icon } from '../../../shell/icons.tsx';
import { connectConsole, type ConnectionState, type View } from './console-connection.ts';
import classes from './console.module.css';
import { serverName, isVirtualMachine, useUnavailableReason, type ServerInfo } from '../device.ts';
import type { VncControls } from './vnc-view.tsx';
import { t } from '../../../text/text.ts';

const TerminalView = lazy(async () => ({ default: (await import('./terminal-view.tsx')).TerminalView }));
const VncView = lazy(async () => ({ default: (await import('./vnc-view.tsx')).VncView }));

/** Phones and tablets show their keyboard only for a field to type in. */
const isTouchDevice = navigator.maxTouchPoints > 0;

const stateLabels: Record<ConnectionState['status'], string> = {
  connecting: t('Connecting…'),
  open: t('Connected'),
  lost: t('Connection lost. Reconnecting…'),
  ended: t('Ended'),
};

export function ConsoleTab({ server }: { server: ServerInfo }): JSX.Element {
  const unavailableReason = useUnavailableReason()(server, 'device:console');
  if (unavailableReason !== undefined)
    return (
      <Card>
        <Text c="dimmed">{t('The console is not available. {reason}', { reason: unavailableReason })}</Text>
      </Card>
    );
  return <Console server={server} />;
}

function Console({ server: { device, state: deviceState } }: { server: ServerInfo }): JSX.Element {
  const { service } = device;
  const view = isVirtualMachine(device) ? 'vnc' : 'text';
  const [state, setState] = useState<ConnectionState>({ status: 'connecting' });
  const [attempt, setAttempt] = useState(0);
  const frame = useRef<HTMLDivElement>(null);
  const vncControls = useRef<VncControls>(null);
  const reset = useChange('deviceConsoleReset', { successMessage: t('Console reset'), invalidates: ['auditGet'] });
  const reconnect = useCallback(() => setAttempt((count) => count + 1), []);
  const api = useDeviceApi();
  useEffect(() => connectConsole({ service, view, api }, setState), [service, view, api, attempt]);
  const disconnectedReason = state.status === 'open' ? undefined : t('The console is not connected.');
  return (
    <Card>
      <Group justify="space-between" mb="sm" gap="xs">
        <Text size="sm" role="status" fw={600}>
          {stateLabels[state.status]}
        </Text>
        <Group gap="xs">
          {view === 'vnc' ? (
            <>
              {isTouchDevice && (
                <ActionButton
                  variant="default"
                  size="xs"
                  disabledReason={disconnectedReason}
                  onClick={() => vncControls.current?.openKeyboard()}
                >
                  {t('Keyboard')}
                </ActionButton>
              )}
              <ActionButton
                variant="default"
                size="xs"
                disabledReason={disconnectedReason}
                onClick={() => vncControls.current?.sendCtrlAltDel()}
              >
                Ctrl+Alt+Del
              </ActionButton>
            </>
          ) : (
            <ActionButton
              variant="default"
              size="xs"
              disabledReason={disconnectedReason}
              onClick={() => state.status === 'open' && state.connection.sendBreak()}
            >
              {t('Send break')}
            </ActionButton>
          )}
          {deviceState?.webconsole === '1' && <WebConsoleButton service={service} />}
          <Button variant="default" size="xs" onClick={reconnect}>
            {t('Reconnect')}
          </Button>
          <Button variant="default" size="xs" onClick={() => void frame.current?.requestFullscreen()}>
            {t('Full screen')}
          </Button>
          <ConfirmButton
            variant="default"
            size="xs"
            question={t('Reset the console of {name}?', { name: serverName(device) })}
            consequence={t(
              'All console sessions of this server are closed, including those of other users and the Java console. The server keeps running.',
            )}
            confirmLabel={t('Reset console')}
            onConfirm={() => reset.mutateAsync({ service })}
          >
            {t('Reset')}
          </ConfirmButton>
        </Group>
      </Group>
      <div ref={frame} className={classes['frame']}>
        <ConsoleView
          state={state}
          view={view}
          label={t('Console of {name}', { name: serverName(device) })}
          vncControls={vncControls}
          reconnect={reconnect}
        />
      </div>
      <Dimmed size="xs" mt="xs">
        {view === 'vnc'
          ? t('The screen of the virtual machine. Click it to type.')
          : t(
              'The serial console of the server, including earlier output. Its operating system must have a console on the serial port to respond.',
            )}
        {deviceState?.webconsole === '1' &&
          ` ${t('“Remote screen” opens the page of its controller in another window, for up to an hour.')}`}
      </Dimmed>
    </Card>
  );
}

/** Opens the controller's own page, which may use neither this page nor its sign-in. */
function WebConsoleButton({ service }: { service: string }): JSX.Element {
  const open = useChange('deviceConsoleWeb', { invalidates: ['auditGet'] });
  const openPage = (): void => {
    // Opened before the link is there, because browsers block windows that do not follow a click.
    const page = window.open('about:blank', '_blank');
    if (page !== null) page.opener = null;
    open.mutate(
      { service },
      {
        onSuccess: ({ url }) => (page === null ? location.assign(url) : page.location.replace(url)),
        onError: (error) => {
          page?.close();
          notifyError(error);
        },
      },
    );
  };
  return (
    <Button variant="default" size="xs" loading={open.isPending} onClick={openPage}>
      {t('Remote screen')}
    </Button>
  );
}

interface ConsoleViewProps {
  readonly state: ConnectionState;
  readonly view: View;
  readonly label: string;
  readonly vncControls: RefObject<VncControls | null>;
  readonly reconnect: () => void;
}

function ConsoleView({ state, view, label, vncControls, reconnect }: ConsoleViewProps): JSX.Element {
  if (state.status === 'open')
    return (
      <Suspense fallback={<Connecting />}>
        {view === 'vnc' ? (
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
      {state.status === 'ended' && <Button onClick={reconnect}>{t('Reconnect')}</Button>}
    </div>
  );
}

function Connecting(): JSX.Element {
  return (
    <div className={classes['message']}>
      <Loader color="brand.4" aria-hidden="true" />
      <Text>{t('Connecting to the console…')}</Text>
    </div>
  );
}
