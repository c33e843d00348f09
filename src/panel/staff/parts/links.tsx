// Links to customers, services, devices and workflows.
import { Anchor } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { JSX, ReactNode } from 'react';
import { t } from '../../text/text.ts';

const dash = <span>—</span>;

export function CustomerLink({ account, children }: { account: string; children?: ReactNode }): JSX.Element {
  if (account === '') return dash;
  // Account 0 is the provider itself.
  if (account === '0') return <span>{t('Provider')}</span>;
  return (
    <Anchor
      component={Link}
      to="/staff/customers/$account"
      params={{ account } as never}
      inherit
      style={{ whiteSpace: 'nowrap' }}
    >
      {children ?? t('Customer {account}', { account })}
    </Anchor>
  );
}

function DetailLink({ to, id, children }: { to: string; id: string; children: ReactNode }): JSX.Element {
  if (id === '') return dash;
  return (
    <Anchor component={Link} to={to} hash={id} inherit>
      {children}
    </Anchor>
  );
}
export function ServiceLink({ service, children }: { service: string; children?: ReactNode }): JSX.Element {
  return (
    <DetailLink to="/staff/services" id={service}>
      {children ?? service}
    </DetailLink>
  );
}
export function DeviceLink({ device, children = device }: { device: string; children?: ReactNode }): JSX.Element {
  return (
    <Anchor component={Link} to="/staff/device/$device" params={{ device } as never} inherit>
      {children}
    </Anchor>
  );
}
export function NodeLink({ node }: { node: string }): JSX.Element {
  return (
    <Anchor component={Link} to="/staff/nodes/$node" params={{ node } as never} inherit ff="monospace">
      {node}
    </Anchor>
  );
}
export function SwitchLink({ name }: { name: string }): JSX.Element {
  return (
    <Anchor component={Link} to="/staff/switches/$switch" params={{ switch: name } as never} inherit ff="monospace">
      {name}
    </Anchor>
  );
}
export function EquipmentLink({ kind, name }: { kind: 'server' | 'switch' | 'node'; name: string }): JSX.Element {
  if (kind === 'server') return <DeviceLink device={name} />;
  return kind === 'node' ? <NodeLink node={name} /> : <SwitchLink name={name} />;
}
/** The place of a device in its rack. */
export function MountLink({ name, children }: { name: string; children: ReactNode }): JSX.Element {
  return (
    <DetailLink to="/staff/racks" id={name}>
      {children}
    </DetailLink>
  );
}
export function WorkflowLink({ id, children }: { id: string; children: ReactNode }): JSX.Element {
  return (
    <DetailLink to="/staff/work" id={id}>
      {children}
    </DetailLink>
  );
}
