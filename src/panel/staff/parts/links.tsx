// Links to customers, services, devices and workflows, and amounts of customers.
import { Anchor } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { JSX, ReactNode } from 'react';
import { useCustomer } from '../../data/customer-names.ts';
import { amountText } from '../money/amounts.ts';
import { t } from '../../text/text.ts';

const dash = <span>—</span>;

/** The provider's own account. */
export const provider = '0';

/** Shows the customer's name unless it gets something else to show. */
export function CustomerLink({ account, children }: { account: string; children?: ReactNode }): JSX.Element {
  const isLookedUp = children === undefined && account !== '' && account !== provider;
  const { data: customer, isLoading } = useCustomer(account, { enabled: isLookedUp });
  if (account === '') return dash;
  if (account === provider) return <span>{t('Provider')}</span>;
  const number = t('Customer {account}', { account });
  return (
    <Anchor
      component={Link}
      to="/staff/customers/$account"
      params={{ account } as never}
      inherit
      title={number}
      className="customer-name"
      aria-busy={isLoading}
    >
      {children ?? (isLoading ? '…' : customer?.name || number)}
    </Anchor>
  );
}

/** An amount in the currency of the customer's account. */
export function CustomerAmount({ account, amount }: { account: string; amount: string }): JSX.Element {
  const { data, isLoading } = useCustomer(account);
  return (
    <span className="numbers" style={{ whiteSpace: 'nowrap' }} aria-busy={isLoading}>
      {amountText(amount, data?.currency ?? '')}
    </span>
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
