// Null routes of all customers, in their desired state and as last seen on the router.
import { Card, Table, Text, TextInput, Textarea } from '@mantine/core';
import type { JSX } from 'react';
import type { Methods } from '#sdk/operator.ts';
import { useStaffChange, useStaffRead } from '../data/operations.ts';
import { pollMs } from '../data/staff-pages.ts';
import { usePermissionDenial } from '../data/identity.ts';
import { ConfirmButton } from '../parts/action-button.tsx';
import { QueryResult, EmptyState } from '../parts/query-result.tsx';
import { useFormFields } from '../parts/form-fields.ts';
import { Form } from '../parts/form.tsx';
import { Timestamp } from '../parts/timestamp.tsx';
import { Page } from '../parts/page.tsx';
import { StateBadge } from '../parts/state-badge.tsx';
import { TableCard } from '../parts/table-card.tsx';
import { Icon } from '../shell/icons.tsx';
import { FormButton } from './parts/form-button.tsx';
import { CustomerLink, ServiceLink } from './parts/links.tsx';

type NullRoute = Awaited<ReturnType<Methods['nullrouteList']>>[number];
const columns = [
  'IP address',
  'Status',
  'Customer',
  'Service',
  'Reason',
  'Since',
  'Expires',
  { label: 'Actions', width: 1 },
];
const origins = { customer: 'the customer', policy: 'the attack policy', operator: 'staff' } as const;

export function NullRoutesPage(): JSX.Element {
  const nullroutes = useStaffRead('nullrouteList', {}, { refetchMs: pollMs });
  const denial = usePermissionDenial()('operator:equipment');
  return (
    <Page
      title="Null routes"
      description="Addresses whose traffic is dropped by the network"
      actions={
        <FormButton
          title="Add null route"
          leftSection={<Icon name="plus" size={16} />}
          disabledReason={denial}
          form={(close) => <NullRouteForm close={close} />}
        >
          Add null route
        </FormButton>
      }
    >
      <QueryResult query={nullroutes}>
        {(all) =>
          all.length === 0 ? (
            <Card>
              <EmptyState icon="shield" title="No null routes">
                All customer addresses are reachable.
              </EmptyState>
            </Card>
          ) : (
            <TableCard label="Null routes" columns={columns} minWidth={980}>
              {all.map((nullRoute) => (
                <NullRouteRow key={`${nullRoute.ip} ${nullRoute.created}`} nullRoute={nullRoute} />
              ))}
            </TableCard>
          )
        }
      </QueryResult>
    </Page>
  );
}

function NullRouteRow({ nullRoute }: { nullRoute: NullRoute }): JSX.Element {
  const denial = usePermissionDenial()('operator:equipment');
  const remove = useStaffChange('nullrouteRemove', { successMessage: `Null route of ${nullRoute.ip} removed` });
  return (
    <Table.Tr>
      <Table.Td ff="monospace">{nullRoute.ip}</Table.Td>
      <Table.Td>
        <StateBadge state={nullRoute.state === 'Withdrawing' ? 'Removing' : nullRoute.state} />
      </Table.Td>
      <Table.Td>
        <CustomerLink account={nullRoute.account} />
      </Table.Td>
      <Table.Td>
        <ServiceLink service={nullRoute.service} />
      </Table.Td>
      <Table.Td className="wrap-anywhere" maw={260}>
        {nullRoute.reason}
        <Text size="xs" c="dimmed">
          by {origins[nullRoute.origin]}
        </Text>
      </Table.Td>
      <Table.Td>
        <Timestamp at={nullRoute.created} isRelative />
      </Table.Td>
      <Table.Td>{nullRoute.ends === '' ? 'Never' : <Timestamp at={nullRoute.ends} isRelative />}</Table.Td>
      <Table.Td>
        <ConfirmButton
          size="compact-sm"
          variant="light"
          color="red"
          disabledReason={
            denial ?? (nullRoute.state === 'Withdrawing' ? 'The null route is being removed.' : undefined)
          }
          aria-label={`Remove the null route of ${nullRoute.ip}`}
          question={`Remove the null route of ${nullRoute.ip}?`}
          consequence={`Added by ${origins[nullRoute.origin]}: ${nullRoute.reason}. If the attack is still ongoing, its traffic reaches the network again.`}
          confirmLabel="Remove"
          onConfirm={() => remove.mutateAsync({ ip: nullRoute.ip })}
        >
          Remove
        </ConfirmButton>
      </Table.Td>
    </Table.Tr>
  );
}

function NullRouteForm({ close }: { close: () => void }): JSX.Element {
  const fields = useFormFields({ ip: '', reason: '', minutes: '' });
  const add = useStaffChange('nullrouteAdd', { successMessage: 'Null route added' });
  return (
    <Form
      fields={fields}
      submitLabel="Add null route"
      onCancel={close}
      onSubmit={async () => {
        const { ip, reason, minutes } = fields.values;
        await add.mutateAsync({
          ip: ip.trim(),
          reason: reason.trim(),
          ...(minutes.trim() === '' ? {} : { minutes: Number(minutes) }),
        });
        close();
      }}
    >
      <Text size="sm">All traffic to the address is dropped until the null route ends. The customer is notified.</Text>
      <TextInput label="IP address" required data-autofocus ff="monospace" {...fields.input('ip')} />
      <Textarea label="Reason" required autosize minRows={2} maxLength={200} {...fields.input('reason')} />
      <TextInput
        label="Duration (minutes)"
        description="Leave empty to keep it until removed"
        inputMode="numeric"
        {...fields.input('minutes')}
      />
    </Form>
  );
}
