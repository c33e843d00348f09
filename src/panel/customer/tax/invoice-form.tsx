// How the customer receives invoices: the content of the PDF, the e-invoice beside it, and the network.
import { Anchor, Select, TextInput } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { JSX } from 'react';
import { deliveryWays, pdfForms } from '#contract/shapes/invoice-delivery.ts';
import { invoiceAttachments } from '#contract/shapes/tax.ts';
import { useScopeDenial } from '../../data/identity.ts';
import { useChange, type Result } from '../../data/operations.ts';
import { Dimmed } from '../../parts/dimmed.tsx';
import { useFormFields } from '../../parts/form-fields.ts';
import { Form } from '../../parts/form.tsx';
import { rich } from '../../text/rich.ts';
import { t } from '../../text/text.ts';
import { SectionCard } from '../server/section-card.tsx';

const pdfNames = {
  automatic: t('Default of your country'),
  plain: t('Without e-invoice'),
  facturx: t('With e-invoice inside (Factur-X, ZUGFeRD)'),
} as const;
const attachmentNames = {
  none: t('None'),
  cii: t('CII (EN 16931)'),
  peppol: t('UBL (Peppol BIS Billing 3.0)'),
  xrechnung: 'XRechnung',
} as const;
const deliveryNames = { email: t('By email'), network: t('By email and through the Peppol network') } as const;

type Values = Pick<Result<'taxGet'>, 'pdf' | 'attachment' | 'delivery' | 'endpoint' | 'reference'>;

export function InvoiceForm({ data }: { data: Result<'taxGet'> }): JSX.Element {
  const denial = useScopeDenial()('account:write');
  const { pdf, attachment, delivery, endpoint, reference } = data;
  const fields = useFormFields<Values>({ pdf, attachment, delivery, endpoint, reference });
  const { values } = fields;
  const change = useChange('taxUpdate', { successMessage: t('Invoice settings saved'), invalidates: ['taxGet'] });
  return (
    <SectionCard
      title={t('Invoices')}
      description={rich(
        'Invoices are emailed to you and to <link>contacts</link> who receive invoices, such as your accountant.',
        {
          link: (text) => (
            <Anchor inherit underline="always" component={Link} to="/contacts">
              {text}
            </Anchor>
          ),
        },
      )}
    >
      <Form fields={fields} submitLabel={t('Save')} disabledReason={denial} onSubmit={() => change.mutateAsync(values)}>
        <Choice
          label={t('PDF')}
          names={pdfNames}
          choices={pdfForms}
          value={values.pdf}
          onChange={(next) => fields.set({ pdf: next })}
        />
        <Choice
          label={t('E-invoice attached to emails')}
          names={attachmentNames}
          choices={invoiceAttachments}
          value={values.attachment}
          onChange={(next) => fields.set({ attachment: next })}
        />
        {data.networkavailable && (
          <Choice
            label={t('Delivery')}
            names={deliveryNames}
            choices={deliveryWays}
            value={values.delivery}
            onChange={(next) => fields.set({ delivery: next })}
          />
        )}
        <TextInput
          label={t('Electronic address')}
          description={t('For e-invoices, such as 0208:0428759497. By default your VAT number, or your email address.')}
          {...fields.input('endpoint')}
        />
        <TextInput
          label={t('Your reference')}
          description={t('Printed on every invoice, such as an order number or a Leitweg-ID')}
          {...fields.input('reference')}
        />
        <Dimmed size="xs">{t('Changes apply to invoices that are issued from now on.')}</Dimmed>
      </Form>
    </SectionCard>
  );
}

interface ChoiceProps<Value extends string> {
  readonly label: string;
  readonly names: Readonly<Record<Value, string>>;
  readonly choices: readonly Value[];
  readonly value: Value;
  readonly onChange: (value: Value) => void;
}

function Choice<Value extends string>({ label, names, choices, value, onChange }: ChoiceProps<Value>): JSX.Element {
  return (
    <Select
      label={label}
      allowDeselect={false}
      data={choices.map((choice) => ({ value: choice, label: names[choice] }))}
      value={value}
      onChange={(next) => {
        if (next !== null) onChange(next as Value);
      }}
    />
  );
}
