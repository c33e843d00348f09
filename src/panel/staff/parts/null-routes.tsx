// Null routes in a table, and the form that adds one.
import { Text, TextInput, Textarea } from '@mantine/core';
import type { JSX } from 'react';
import { useStaffChange } from '../../data/operations.ts';
import type { Row } from '../../data/staff-pages.ts';
import { nullrouteReason } from '../../customer/network/nullroute.ts';
import { usePermissionDenial } from '../../data/identity.ts';
import { DangerButton } from '../../parts/confirm-button.tsx';
import { Dimmed } from '../../parts/dimmed.tsx';
import { useFormFields } from '../../parts/form-fields.ts';
import { Form } from '../../parts/form.tsx';
import { Timestamp } from '../../parts/timestamp.tsx';
import { StateBadge } from '../../parts/state-badge.tsx';
import { TableCard, type Column } from '../../parts/table-card.tsx';
import { FormButton } from '../../parts/form-button.tsx';
import { CustomerLink, ServiceLink } from './links.tsx';
import { t } from '../../text/text.ts';

type NullRoute = Row<'nullrouteList'>;
const originTexts = {
  customer: t('by the customer'),
  policy: t('by the attack policy'),
  operator: t('by staff'),
} as const;

const columns: readonly Column<NullRoute>[] = [
  { label: t('IP address'), ff: 'monospace', cell: ({ ip }) => ip },
  { label: t('Status'), cell: ({ state }) => <StateBadge state={state === 'Withdrawing' ? 'Removing' : state} /> },
  { label: t('Customer'), cell: ({ account }) => <CustomerLink account={account} /> },
  { label: t('Service'), cell: ({ service }) => <ServiceLink service={service} /> },
  {
    label: t('Reason'),
    className: 'wrap-anywhere',
    maw: 260,
    cell: ({ reason, origin }) => (
      <>
        {nullrouteReason(reason)}
        <Dimmed size="xs">{originTexts[origin]}</Dimmed>
      </>
    ),
  },
  { label: t('Since'), cell: ({ created }) => <Timestamp at={created} isRelative /> },
  { label: t('Expires'), cell: ({ ends }) => <Timestamp at={ends} isRelative fallback={t('Never')} /> },
  { label: t('Actions'), width: 1, cell: (nullRoute) => <RemoveButton nullRoute={nullRoute} /> },
];

export function NullRouteTable({ rows }: { rows: readonly NullRoute[] }): JSX.Element {
  return <TableCard label={t('Null routes')} columns={columns} rows={rows} rowKey={({ id }) => id} minWidth={980} />;
}

/** Opens the form, with this address. */
export function AddNullRouteButton({ ip = '' }: { ip?: string }): JSX.Element {
  const denial = usePermissionDenial()('operator:equipment');
  return (
    <FormButton
      title={t('Add null route')}
      icon="plus"
      disabledReason={denial}
      form={(close) => <NullRouteForm ip={ip} close={close} />}
    />
  );
}

function RemoveButton({ nullRoute: { ip, state, origin, reason } }: { nullRoute: NullRoute }): JSX.Element {
  const denial = usePermissionDenial()('operator:equipment');
  const remove = useStaffChange('nullrouteRemove', { successMessage: t('Null route for {ip} removed', { ip }) });
  return (
    <DangerButton
      disabledReason={denial ?? (state === 'Withdrawing' ? t('The null route is being removed.') : undefined)}
      aria-label={t('Remove the null route for {ip}', { ip })}
      question={t('Remove the null route for {ip}?', { ip })}
      consequence={t(
        'Added {origin}: {reason}. If the attack is still ongoing, its traffic reaches the network again.',
        {
          origin: originTexts[origin],
          reason: nullrouteReason(reason),
        },
      )}
      confirmLabel={t('Remove')}
      onConfirm={() => remove.mutateAsync({ ip })}
    />
  );
}

function NullRouteForm({ ip: initialIp, close }: { ip: string; close: () => void }): JSX.Element {
  const fields = useFormFields({ ip: initialIp, reason: '', minutes: '' });
  const add = useStaffChange('nullrouteAdd', { successMessage: t('Null route added') });
  return (
    <Form
      fields={fields}
      submitLabel={t('Add null route')}
      close={close}
      onSubmit={async () => {
        const { ip, reason, minutes } = fields.values;
        await add.mutateAsync({
          ip: ip.trim(),
          reason: reason.trim(),
          ...(minutes.trim() === '' ? {} : { minutes: Number(minutes) }),
        });
      }}
    >
      <Text size="sm">
        {t('All traffic to the address is dropped until the null route ends. The customer is notified.')}
      </Text>
      <TextInput label={t('IP address')} required data-autofocus ff="monospace" {...fields.input('ip')} />
      <Textarea label={t('Reason')} required autosize minRows={2} maxLength={200} {...fields.input('reason')} />
      <TextInput
        label={t('Duration (minutes)')}
        description={t('Leave empty to keep it until removed')}
        inputMode="numeric"
        {...fields.input('minutes')}
      />
    </Form>
  );
}
