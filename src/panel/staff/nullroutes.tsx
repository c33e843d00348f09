// Null-routes of all customers: what is wanted, and what the router was last seen to have.
import { Card, Table, Text, TextInput, Textarea } from '@mantine/core';
import type { JSX } from 'react';
import type { Methods } from '#sdk/operator.ts';
import { useStaffChange, useStaffRead } from '../data/read.ts';
import { watchMs } from '../data/staff-pages.ts';
import { usePowerRefusal } from '../data/who.ts';
import { AskFirst } from '../parts/act.tsx';
import { Answer, Empty } from '../parts/answer.tsx';
import { useFields } from '../parts/fields.ts';
import { Form } from '../parts/form.tsx';
import { Moment } from '../parts/moment.tsx';
import { Page } from '../parts/page.tsx';
import { StateBadge } from '../parts/state.tsx';
import { TableCard } from '../parts/table-card.tsx';
import { Icon } from '../shell/icons.tsx';
import { FormAct } from './parts/form-act.tsx';
import { CustomerLink, ServiceLink } from './parts/links.tsx';

type Nullroute = Awaited<ReturnType<Methods['nullrouteList']>>[number];
const columns = ['Address', 'State', 'Customer', 'Service', 'Why', 'Since', 'Ends', { label: 'Actions', width: 1 }];
const origins = { customer: 'the customer', policy: 'the policy', operator: 'staff' } as const;

export function NullroutesPage(): JSX.Element {
  const nullroutes = useStaffRead('nullrouteList', {}, { everyMs: watchMs });
  const refusal = usePowerRefusal()('operator:equipment');
  return (
    <Page
      title="Null-routes"
      about="Addresses whose traffic the network throws away."
      actions={
        <FormAct
          title="Null-route an address"
          leftSection={<Icon name="plus" size={16} />}
          reason={refusal}
          form={(close) => <NullrouteForm close={close} />}
        >
          Null-route
        </FormAct>
      }
    >
      <Answer of={nullroutes}>
        {(all) =>
          all.length === 0 ? (
            <Card>
              <Empty icon="shield" title="No null-routes">
                All addresses of customers are reached.
              </Empty>
            </Card>
          ) : (
            <TableCard label="Null-routes" columns={columns} minWidth={980}>
              {all.map((one) => (
                <NullrouteRow key={`${one.ip} ${one.created}`} of={one} />
              ))}
            </TableCard>
          )
        }
      </Answer>
    </Page>
  );
}

function NullrouteRow({ of }: { of: Nullroute }): JSX.Element {
  const refusal = usePowerRefusal()('operator:equipment');
  const remove = useStaffChange('nullrouteRemove', { done: `${of.ip} is being reached again.` });
  return (
    <Table.Tr>
      <Table.Td ff="monospace">{of.ip}</Table.Td>
      <Table.Td>
        <StateBadge state={of.state} />
      </Table.Td>
      <Table.Td>
        <CustomerLink account={of.account} />
      </Table.Td>
      <Table.Td>
        <ServiceLink service={of.service} />
      </Table.Td>
      <Table.Td className="wrap-anywhere" maw={260}>
        {of.reason}
        <Text size="xs" c="dimmed">
          by {origins[of.origin]}
        </Text>
      </Table.Td>
      <Table.Td>
        <Moment at={of.created} ago />
      </Table.Td>
      <Table.Td>{of.ends === '' ? 'when removed' : <Moment at={of.ends} ago />}</Table.Td>
      <Table.Td>
        <AskFirst
          size="compact-sm"
          variant="light"
          color="red"
          reason={refusal ?? (of.state === 'Withdrawing' ? 'It is being removed.' : undefined)}
          aria-label={`Remove the null-route of ${of.ip}`}
          question={`Let traffic to ${of.ip} through again?`}
          consequence={`It was null-routed by ${origins[of.origin]}: ${of.reason}. If the attack goes on, it reaches the network.`}
          yes="Remove"
          act={() => remove.mutateAsync({ ip: of.ip })}
        >
          Remove
        </AskFirst>
      </Table.Td>
    </Table.Tr>
  );
}

function NullrouteForm({ close }: { close: () => void }): JSX.Element {
  const fields = useFields({ ip: '', reason: '', minutes: '' });
  const add = useStaffChange('nullrouteAdd', { done: 'The null-route is on its way to the router.' });
  return (
    <Form
      fields={fields}
      label="Null-route"
      cancel={close}
      send={async () => {
        const { ip, reason, minutes } = fields.values;
        await add.mutateAsync({
          ip: ip.trim(),
          reason: reason.trim(),
          ...(minutes.trim() === '' ? {} : { minutes: Number(minutes) }),
        });
        close();
      }}
    >
      <Text size="sm">Nothing reaches the address any more until it ends. The customer is told.</Text>
      <TextInput label="Address" required data-autofocus ff="monospace" {...fields.input('ip')} />
      <Textarea label="Reason" required autosize minRows={2} maxLength={200} {...fields.input('reason')} />
      <TextInput
        label="Minutes"
        description="Left empty, until it is removed"
        inputMode="numeric"
        {...fields.input('minutes')}
      />
    </Form>
  );
}
