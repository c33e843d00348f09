// Links to customers, services, devices and workflows.
import { Anchor } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { JSX, ReactNode } from 'react';

const dash = <span>—</span>;

export function CustomerLink({ account, children }: { account: string; children?: ReactNode }): JSX.Element {
  if (account === '') return dash;
  // Account 0 is the provider itself.
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
/** Switches and nodes have a place in a rack. */
export function MountLink({ name }: { name: string }): JSX.Element {
  return (
    <DetailLink to="/staff/racks" id={name}>
      {name}
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
