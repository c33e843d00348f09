// Power controls of a device: a row of buttons on its page, a menu in lists. Both ask for confirmation if data may be
// lost.
import { ActionIcon, Menu, Modal, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useState, type JSX } from 'react';
import { useChange } from '../../../data/operations.ts';
import { ActionButton, ConfirmButton, ConfirmForm } from '../../../parts/action-button.tsx';
import { notifyError } from '../../../parts/notify-error.ts';
import { Icon } from '../../../shell/icons.tsx';
import { serverName, isVirtualMachine, useUnavailableReason, type ServerInfo } from '../device.ts';
import { powerActions, powerActionInfo, type PowerAction, type PowerState } from './power-actions.ts';

interface PowerControls {
  /** Returns why the action is unavailable, or undefined if it can run. */
  unavailableReason(action: PowerAction): string | undefined;
  consequence(action: PowerAction): string | undefined;
  readonly running: PowerAction | undefined;
  run(action: PowerAction): Promise<void>;
}

function usePowerControls(server: ServerInfo, power: PowerState): PowerControls {
  const { device } = server;
  const deviceReason = useUnavailableReason()(server, 'device:power');
  const change = useChange('devicePowerSet');
  const running = change.isPending ? change.variables.action : undefined;
  return {
    unavailableReason: (action) =>
      deviceReason ??
      (running !== undefined && running !== action ? 'Another power command is still running.' : undefined) ??
      powerActionInfo(action).unavailable[power],
    consequence: (action) => powerActionInfo(action).consequence?.[isVirtualMachine(device) ? 'machine' : 'server'],
    running,
    async run(action) {
      await change.mutateAsync({ service: device.service, action });
      notifications.show({ title: serverName(device), message: powerActionInfo(action).done, color: 'teal' });
    },
  };
}

const confirmationTitle = (action: PowerAction, { device }: ServerInfo): string =>
  `${powerActionInfo(action).label} ${serverName(device)}?`;

export function PowerButtons({ server, power }: { server: ServerInfo; power: PowerState }): JSX.Element {
  const controls = usePowerControls(server, power);
  return (
    <>
      {powerActions.map((action) => {
        const { label } = powerActionInfo(action);
        const consequence = controls.consequence(action);
        const props = {
          variant: action === 'on' ? 'filled' : 'default',
          size: 'sm',
          disabledReason: controls.unavailableReason(action),
          loading: controls.running === action,
          children: label,
        };
        if (consequence === undefined)
          return <ActionButton key={action} {...props} onClick={() => void controls.run(action).catch(notifyError)} />;
        return (
          <ConfirmButton
            key={action}
            {...props}
            question={confirmationTitle(action, server)}
            consequence={consequence}
            confirmLabel={label}
            onConfirm={() => controls.run(action)}
          />
        );
      })}
    </>
  );
}

export function PowerMenu({ server, power }: { server: ServerInfo; power: PowerState }): JSX.Element {
  const controls = usePowerControls(server, power);
  const [confirming, setConfirming] = useState<PowerAction>();
  const choose = (action: PowerAction): void => {
    if (controls.consequence(action) === undefined) void controls.run(action).catch(notifyError);
    else setConfirming(action);
  };
  return (
    <>
      <Menu position="bottom-end" width={240}>
        <Menu.Target>
          <ActionIcon
            variant="default"
            size="lg"
            loading={controls.running !== undefined}
            aria-label={`Power menu for ${serverName(server.device)}`}
          >
            <Icon name="power" />
          </ActionIcon>
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
      <Modal
        opened={confirming !== undefined}
        onClose={() => setConfirming(undefined)}
        title={confirming === undefined ? '' : confirmationTitle(confirming, server)}
        centered
      >
        {confirming !== undefined && (
          <ConfirmForm
            consequence={controls.consequence(confirming)}
            confirmLabel={powerActionInfo(confirming).label}
            onConfirm={() => controls.run(confirming)}
            close={() => setConfirming(undefined)}
          />
        )}
      </Modal>
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
  const { label } = powerActionInfo(action);
  if (reason === undefined) return <Menu.Item onClick={onClick}>{label}</Menu.Item>;
  return (
    <Menu.Item aria-disabled="true" closeMenuOnClick={false}>
      <Text size="sm" c="dimmed">
        {label}
      </Text>
      <Text size="xs" c="dimmed">
        {reason}
      </Text>
    </Menu.Item>
  );
}
