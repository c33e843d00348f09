// Ways from one thing to another: whose it is, what runs for it, where it stands.
import { Anchor } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { JSX, ReactNode } from 'react';

const nothing = <span>—</span>;

export function CustomerLink({ account, children }: { account: string; children?: ReactNode }): JSX.Element {
  if (account === '') return nothing;
  // The provider's own.
  if (account === '0') return <span>Provider</span>;
  return (
    <Anchor
      component={Link}
      to="/staff/customers/$account"
      params={{ account } as never}
      inherit
      style={{ whiteSpace: 'nowrap' }}
    >
      {children ?? `Customer ${account}`}
    </Anchor>
  );
}

function Opening({ to, id, children }: { to: string; id: string; children: ReactNode }): JSX.Element {
  if (id === '') return nothing;
  return (
    <Anchor component={Link} to={to} hash={id} inherit>
      {children}
    </Anchor>
  );
}
export function ServiceLink({ service, children }: { service: string; children?: ReactNode }): JSX.Element {
  return (
    <Opening to="/staff/services" id={service}>
      {children ?? service}
    </Opening>
  );
}
export function DeviceLink({ device }: { device: string }): JSX.Element {
  if (device.startsWith('vm-')) return <span>{device}</span>;
  return (
    <Opening to="/staff/racks" id={device}>
      {device}
    </Opening>
  );
}
export function WorkflowLink({ id, children }: { id: string; children: ReactNode }): JSX.Element {
  return (
    <Opening to="/staff/work" id={id}>
      {children}
    </Opening>
  );
}
