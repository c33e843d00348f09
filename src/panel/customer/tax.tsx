// The account's tax data: VAT number and its validation, the tax of the next invoice, and how invoices arrive.
import { Anchor, SegmentedControl, Stack, Text, TextInput } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { JSX } from 'react';
import type { CustomerKind } from '#contract/shapes/tax.ts';
import { useScopeDenial } from '../data/identity.ts';
import { useChange, useRead, type Result } from '../data/operations.ts';
import { Facts } from '../parts/facts.tsx';
import { useFormFields } from '../parts/form-fields.ts';
import { Form } from '../parts/form.tsx';
import { Page } from '../parts/page.tsx';
import { QueryResult } from '../parts/query-result.tsx';
import { StateBadge } from '../parts/state-badge.tsx';
import { Timestamp } from '../parts/timestamp.tsx';
import { percentText } from '../parts/traffic-units.ts';
import { rich } from '../text/rich.ts';
import { t, tData } from '../text/text.ts';
import { SectionCard } from './server/section-card.tsx';
import { DeliveryList } from './tax/delivery-list.tsx';
import { InvoiceForm } from './tax/invoice-form.tsx';
import { validationNotes, validationStates } from './tax/validation-texts.ts';

export function TaxPage(): JSX.Element {
  const tax = useRead('taxGet', {});
  return (
    <Page title={t('Tax data')} description={t('Your VAT number, and how you receive invoices')}>
      <QueryResult query={tax} lines={8}>
        {(data) => (
          <>
            <div className="wide columns">
              <NumberCard data={data} />
              <NextInvoiceCard data={data} />
              <InvoiceForm data={data} />
            </div>
            {data.networkavailable && <DeliveryList />}
          </>
        )}
      </QueryResult>
    </Page>
  );
}

function NumberCard({ data }: { data: Result<'taxGet'> }): JSX.Element {
  const denial = useScopeDenial()('account:write');
  const fields = useFormFields<{ kind: CustomerKind; vatnumber: string }>({
    kind: data.kind,
    vatnumber: data.vatnumber,
  });
  const { values } = fields;
  const change = useChange('taxUpdate', { successMessage: t('Tax data saved'), invalidates: ['taxGet'] });
  const isBusiness = values.kind === 'business';
  return (
    <SectionCard
      title={t('VAT number')}
      description={t('Businesses elsewhere in the EU pay no VAT once the register has confirmed their number.')}
    >
      <Form
        fields={fields}
        submitLabel={t('Save')}
        disabledReason={denial}
        onSubmit={() => change.mutateAsync({ kind: values.kind, vatnumber: isBusiness ? values.vatnumber.trim() : '' })}
      >
        <SegmentedControl
          aria-label={t('Business or private')}
          value={values.kind}
          onChange={(kind) => fields.set({ kind: kind as CustomerKind })}
          data={[
            { value: 'business', label: t('Business') },
            { value: 'private', label: t('Private') },
          ]}
        />
        {isBusiness && (
          <TextInput
            label={t('VAT number')}
            description={t('With the prefix of your country, such as BE0428759497')}
            {...fields.input('vatnumber')}
          />
        )}
      </Form>
      {data.vatnumber !== '' && (
        <Stack gap={4} mt="md" role="status">
          <Facts
            facts={[
              [data.vatnumber, <StateBadge key="state" {...validationStates[data.validation]} />],
              [t('Last checked'), data.checked === null ? '' : <Timestamp at={data.checked} />],
            ]}
          />
          <Text size="sm">{validationNotes[data.validation]}</Text>
        </Stack>
      )}
    </SectionCard>
  );
}

function NextInvoiceCard({ data }: { data: Result<'taxGet'> }): JSX.Element {
  return (
    <SectionCard
      title={t('Next invoice')}
      description={rich('By the billing address in your <link>profile</link>.', {
        link: (text) => (
          <Anchor inherit underline="always" component={Link} to="/profile">
            {text}
          </Anchor>
        ),
      })}
    >
      <Facts
        facts={
          data.category === ''
            ? [[t('Tax'), t('At your country’s rate')]]
            : [
                [t('VAT'), percentText(data.rate)],
                [t('Reason'), tData(data.reason)],
              ]
        }
      />
    </SectionCard>
  );
}
