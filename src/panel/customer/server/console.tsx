// The console in the page. It connects by itself, says how it is, and connects again when the line is lost.
import { Button, Card, Group, Loader, Text } from '@mantine/core';
import { lazy, Suspense, useCallback, useEffect, useRef, useState, type JSX, type RefObject } from 'react';
import { useChange } from '../../data/read.ts';
import { Act, AskFirst } from '../../parts/act.tsx';
import { Icon } from '../../shell/icons.tsx';
import { followConsole, type LinkState } from './console-link.ts';
import classes from './console.module.css';
import { hostnameOf, isMachine, useDeviceRefusal, type ShownDevice } from './device.ts';
import type { ScreenKeys } from './screen.tsx';

const TerminalView = lazy(async () => ({ default: (await import('./terminal.tsx')).TerminalView }));
const ScreenView = lazy(async () => ({ default: (await import('./screen.tsx')).ScreenView }));

const stateWords: Record<LinkState['is'], string> = {
  connecting: 'Connecting…',
  open: 'Connected',
  lost: 'Connection lost; it is tried again',
  ended: 'Ended',
};

export function ConsoleTab({ shown }: { shown: ShownDevice }): JSX.Element {
  const refused = useDeviceRefusal()(shown, 'device:console');
  if (refused !== undefined)
    return (
      <Card>
        <Text c="dimmed">There is no console now. {refused}</Text>
      </Card>
    );
  return <Console shown={shown} />;
}

function Console({ shown: { device } }: { shown: ShownDevice }): JSX.Element {
  const { service } = device;
  const mayBeScreen = isMachine(device);
  const [state, setState] = useState<LinkState>({ is: 'connecting' });
  const [attempt, setAttempt] = useState(0);
  const frame = useRef<HTMLDivElement>(null);
  const keys = useRef<ScreenKeys>(null);
  const reset = useChange('deviceConsoleReset', { done: 'The console was reset.', changes: ['auditGet'] });
  const again = useCallback(() => setAttempt((before) => before + 1), []);
  useEffect(() => followConsole({ service, mayBeScreen }, setState), [service, mayBeScreen, attempt]);
  const closed = state.is === 'open' ? undefined : 'The console is not connected.';
  const view = state.is === 'open' ? state.view : mayBeScreen ? 'screen' : 'text';
  return (
    <Card>
      <Group justify="space-between" mb="sm" gap="xs">
        <Text size="sm" role="status" fw={600}>
          {stateWords[state.is]}
        </Text>
        <Group gap="xs">
          {view === 'screen' ? (
            <Act variant="default" size="xs" reason={closed} onClick={() => keys.current?.sendCtrlAltDel()}>
              Ctrl+Alt+Del
            </Act>
          ) : (
            !mayBeScreen && (
              <Act
                variant="default"
                size="xs"
                reason={closed}
                onClick={() => state.is === 'open' && state.line.sendBreak()}
              >
                Send break
              </Act>
            )
          )}
          <Button variant="default" size="xs" onClick={again}>
            Reconnect
          </Button>
          <Button variant="default" size="xs" onClick={() => void frame.current?.requestFullscreen()}>
            Full screen
          </Button>
          <AskFirst
            variant="default"
            size="xs"
            question={`Reset the console of ${hostnameOf(device)}?`}
            consequence="All console sessions of this server end, also those of others and of the Java console. The server itself is not touched."
            yes="Reset console"
            act={() => reset.mutateAsync({ service })}
          >
            Reset
          </AskFirst>
        </Group>
      </Group>
      <div ref={frame} className={classes['frame']}>
        <Shown state={state} label={`Console of ${hostnameOf(device)}`} keys={keys} again={again} />
      </div>
      <Text size="xs" c="dimmed" mt="xs">
        {mayBeScreen
          ? 'The screen and keyboard of the machine. Click on it to type.'
          : 'The serial line of the server, with what it printed before. Its system must have a console on it to answer.'}
      </Text>
    </Card>
  );
}

interface ShownProps {
  readonly state: LinkState;
  readonly label: string;
  readonly keys: RefObject<ScreenKeys | null>;
  readonly again: () => void;
}

function Shown({ state, label, keys, again }: ShownProps): JSX.Element {
  if (state.is === 'open')
    return (
      <Suspense fallback={<Waiting />}>
        {state.view === 'screen' ? (
          <ScreenView line={state.line} label={label} keys={keys} />
        ) : (
          <TerminalView line={state.line} label={label} />
        )}
      </Suspense>
    );
  if (state.is === 'connecting') return <Waiting />;
  return (
    <div className={classes['message']} role="alert">
      <Icon name="warning" size={32} />
      <Text>{state.reason}</Text>
      {state.is === 'ended' && <Button onClick={again}>Connect again</Button>}
    </div>
  );
}

function Waiting(): JSX.Element {
  return (
    <div className={classes['message']}>
      <Loader color="yard.4" aria-hidden="true" />
      <Text>Connecting to the console…</Text>
    </div>
  );
}
