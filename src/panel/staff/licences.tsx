// Licence orders that wait for a key, and the form to deliver it.
import { Stack, Text, Textarea } from '@mantine/core';
import type { JSX } from 'react';
import { usePermissionDenial } from '../data/identity.ts';
import { useStaffChange } from '../data/operations.ts';
import { useStaffPages, type Row } from '../data/staff-pages.ts';
import { FormButton } from '../parts/form-button.tsx';
import { useFormFields } from '../parts/form-fields.ts';
import { Form } from '../parts/form.tsx';
import { licenceName } from '../parts/licence-name.ts';
import { moneyText } from '../parts/money-text.ts';
import { Page } from '../parts/page.tsx';
import { EmptyCard, QueryResult } from '../parts/query-result.tsx';
import { TableCard, type Column } from '../parts/table-card.tsx';
import { Timestamp } from '../parts/timestamp.tsx';
import { CustomerLink, ServiceLink, WorkflowLink } from './parts/links.tsx';
import { ShowMore } from './parts/show-more.tsx';

type Order = Row<'licenceOrderList'>;

export function LicenceOrdersPage(): JSX.Element {
  const orders = useStaffPages('licenceOrderList', {});
  const denial = usePermissionDenial()('operator:licences');
  const columns: readonly Column<Order>[] = [
    { label: 'Order', isNumber: true, width: 1, cell: ({ id }) => id },
    { label: 'Licence', cell: titleOf },
    { label: 'Customer', cell: ({ account }) => <CustomerLink account={account} /> },
    { label: 'Service', cell: ({ service }) => <ServiceLink service={service} /> },
    { label: 'Price per month', isNumber: true, cell: ({ price }) => moneyText(price, '') },
    { label: 'Ordered', cell: ({ ordered }) => <Timestamp at={ordered} isRelative /> },
    { label: 'Job', cell: ({ workflow }) => <WorkflowLink id={workflow}>View</WorkflowLink> },
    {
      label: 'Actions',
      width: 1,
      cell: (order) => (
        <FormButton
          size="compact-sm"
          title={`Deliver ${titleOf(order)}`}
          disabledReason={denial}
          aria-label={`Enter the key of order ${order.id}`}
          form={(close) => <KeyForm order={order} close={close} />}
        >
          Enter key
        </FormButton>
      ),
    },
  ];
  return (
    <Page title="Licence keys" description="Orders that wait for a key from the vendor">
      <Stack>
        <QueryResult
          query={orders}
          empty={
            <EmptyCard icon="licence" title="No orders are waiting">
              Orders that need a key from you appear here.
            </EmptyCard>
          }
        >
          {(all) => (
            <TableCard label="Licence orders" columns={columns} rows={all} rowKey={({ id }) => id} minWidth={880} />
          )}
        </QueryResult>
        <ShowMore query={orders} />
      </Stack>
    </Page>
  );
}

function titleOf({ licence, label }: Order): string {
  return label || licenceName(licence);
}

function KeyForm({ order, close }: { order: Order; close: () => void }): JSX.Element {
  const fields = useFormFields({ key: '' });
  const deliver = useStaffChange('licenceOrderDeliver', {
    successMessage: `Licence key of order ${order.id} delivered`,
  });
  return (
    <Form
      fields={fields}
      submitLabel="Deliver"
      onCancel={close}
      onSubmit={async () => {
        await deliver.mutateAsync({ id: order.id, key: fields.values.key.trim() });
        close();
      }}
    >
      <Text size="sm">
        The customer sees the key at once and is notified. You cannot read or replace it afterwards.
      </Text>
      <Textarea
        label="Licence key"
        required
        autosize
        minRows={1}
        maxRows={8}
        data-autofocus
        ff="monospace"
        autoComplete="off"
        spellCheck={false}
        {...fields.input('key')}
      />
    </Form>
  );
}
