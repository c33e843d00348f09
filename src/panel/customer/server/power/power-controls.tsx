// Power controls of a device: a row of buttons on its page, a menu in lists. Both ask for confirmation if data may be
// lost.
import { Menu } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useEffect, useState, type JSX } from 'react';
import { useChange } from '../../../data/operations.ts';
import { Dimmed } from '../../../parts/dimmed.tsx';
import { ActionButton } from '../../../parts/action-button.tsx';
import { ConfirmButton, ConfirmDialog, type Confirmation } from '../../../parts/confirm-button.tsx';
import { notifyError } from '../../../parts/notify-error.ts';
import { Icon } from '../../../shell/icons.tsx';
import { serverName, isVirtualMachine, useUnavailableReason, type ServerInfo } from '../device.ts';
import { powerActions, powerActionInfo, type PowerAction, type PowerState } from './power-actions.ts';
import classes from './power-controls.module.css';
import { t } from '../../../text/text.ts';

interface PowerControls {
  /** Returns why the action is unavailable, or undefined if it can run. */
  unavailableReason(action: PowerAction): string | undefined;
  /** Returns the confirmation that the action needs, or undefined if it loses no data. */
  confirmation(action: PowerAction): Confirmation | undefined;
  readonly running: PowerAction | undefined;
  run(action: PowerAction): void;
}

function usePowerControls(server: ServerInfo, power: PowerState): PowerControls {
  const { device } = server;
  const deviceReason = useUnavailableReason()(server, 'device:power');
  const change = useChange('devicePowerSet');
  const shutdown = useChange('deviceShutdown');
  const running = shutdown.isPending ? 'shutdown' : change.isPending ? change.variables.action : undefined;
  const run = async (action: PowerAction): Promise<void> => {
    const { service } = device;
    await (action === 'shutdown' ? shutdown.mutateAsync({ service }) : change.mutateAsync({ service, action }));
    notifications.show({ title: serverName(device), message: powerActionInfo[action].doneMessage, color: 'teal' });
  };
  return {
    unavailableReason: (action) =>
      deviceReason ??
      (running !== undefined && running !== action ? t('Another power command is still running.') : undefined) ??
      powerActionInfo[action].unavailable[power],
    confirmation(action) {
      const { label, consequence } = powerActionInfo[action];
      if (consequence === undefined) return undefined;
      return {
        question: powerQuestion(action, serverName(device)),
        consequence: consequence[isVirtualMachine(device) ? 'machine' : 'server'],
        confirmLabel: label,
        onConfirm: () => run(action),
      };
    },
    running,
    run: (action) => void run(action).catch(notifyError),
  };
}

function powerQuestion(action: PowerAction, name: string): string {
  const questions: Readonly<Record<PowerAction, string>> = {
    on: t('Power on {name}?', { name }),
    shutdown: t('Shut down {name}?', { name }),
    off: t('Power off {name}?', { name }),
    reboot: t('Reboot {name}?', { name }),
    cycle: t('Power cycle {name}?', { name }),
  };
  return questions[action];
}

export function PowerButtons({ server, power }: { server: ServerInfo; power: PowerState }): JSX.Element {
  const controls = usePowerControls(server, power);
  return (
    <>
      {powerActions.map((action) => {
        const confirmation = controls.confirmation(action);
        const props = {
          variant: action === 'on' ? 'filled' : 'default',
          size: 'sm',
          disabledReason: controls.unavailableReason(action),
          loading: controls.running === action,
          children: powerActionInfo[action].label,
        };
        if (confirmation === undefined)
          return <ActionButton key={action} {...props} onClick={() => controls.run(action)} />;
        return <ConfirmButton key={action} {...props} {...confirmation} />;
      })}
    </>
  );
}

interface PowerMenuProps {
  readonly server: ServerInfo;
  readonly power: PowerState;
}

/** Is no more than a button until it is used, because a list has one in every row. */
export function PowerMenu(props: PowerMenuProps): JSX.Element {
  const [isUsed, setUsed] = useState(false);
  if (isUsed) return <UsedPowerMenu {...props} />;
  return <button {...menuButtonProps(props.server)} aria-haspopup="menu" onClick={() => setUsed(true)} />;
}

const menuButtonProps = ({ device }: ServerInfo) => ({
  type: 'button' as const,
  className: classes['menu'],
  'aria-label': t('Power menu for {name}', { name: serverName(device) }),
  children: <Icon name="power" />,
});

function UsedPowerMenu({ server, power }: PowerMenuProps): JSX.Element {
  const controls = usePowerControls(server, power);
  const [confirming, setConfirming] = useState<PowerAction>();
  // Opened after it was rendered: only then does the menu return the focus when it closes.
  const [isOpen, setOpen] = useState(false);
  useEffect(() => setOpen(true), []);
  const choose = (action: PowerAction): void => {
    if (controls.confirmation(action) === undefined) controls.run(action);
    else setConfirming(action);
  };
  return (
    <>
      <Menu position="bottom-end" width={240} opened={isOpen} onChange={setOpen}>
        <Menu.Target>
          {/* Takes the place of the button that had the focus. */}
          <button {...menuButtonProps(server)} disabled={controls.running !== undefined} autoFocus />
        </Menu.Target>
        <Menu.Dropdown>
          {powerActions.map((action) => (
            <PowerMenuItem
              key={action}
              action={action}
              reason={controls.unavailableReason(action)}
              onClick={() => choose(action)}
            />
          ))}
        </Menu.Dropdown>
      </Menu>
      <ConfirmDialog
        confirmation={confirming && controls.confirmation(confirming)}
        close={() => setConfirming(undefined)}
      />
    </>
  );
}

interface PowerItemProps {
  readonly action: PowerAction;
  readonly reason: string | undefined;
  readonly onClick: () => void;
}

/** Shows the reason below the label if the action is unavailable. */
function PowerMenuItem({ action, reason, onClick }: PowerItemProps): JSX.Element {
  const { label } = powerActionInfo[action];
  if (reason === undefined) return <Menu.Item onClick={onClick}>{label}</Menu.Item>;
  return (
    <Menu.Item aria-disabled="true" closeMenuOnClick={false}>
      <Dimmed>{label}</Dimmed>
      <Dimmed size="xs">{reason}</Dimmed>
    </Menu.Item>
  );
}
