// Payment by bank: the account for transfers, and direct debit mandates.
import { Checkbox, Text, TextInput } from '@mantine/core';
import { useState, type JSX } from 'react';
import { useScopeDenial } from '../../data/identity.ts';
import { useChange, useRead, type Result } from '../../data/operations.ts';
import { Facts } from '../../parts/facts.tsx';
import { FormButton } from '../../parts/form-button.tsx';
import { useFormFields } from '../../parts/form-fields.ts';
import { Form } from '../../parts/form.tsx';
import { Section } from '../../parts/section.tsx';
import { t, textLanguage } from '../../text/text.ts';

type Information = Result<'sepaGet'>;

function consentLanguage(): 'de' | 'en' {
  return textLanguage() === 'de' ? 'de' : 'en';
}

/** Renders nothing if the provider does not use SEPA. */
export function BankSection(): JSX.Element | null {
  const denial = useScopeDenial()('billing:pay');
  const { data } = useRead('sepaGet', { language: consentLanguage() });
  if (data === undefined || data.creditor === '') return null;
  const { name, iban, bic, reference } = data.transfer;
  return (
    <Section
      title={t('Bank account')}
      actions={
        data.debits && (
          <FormButton
            title={t('Add direct debit')}
            icon="plus"
            disabledReason={denial}
            form={(close) => <MandateForm information={data} close={close} />}
          />
        )
      }
    >
      <Text size="sm" mb="xs">
        {t('Transfers to this account are credited automatically if they have the reference or an invoice number.')}
      </Text>
      <Facts
        facts={[
          [t('Recipient'), name],
          [t('IBAN'), iban],
          [t('BIC'), bic],
          [t('Reference'), reference],
        ]}
      />
    </Section>
  );
}

function MandateForm({ information, close }: { information: Information; close: () => void }): JSX.Element {
  const { consent, text } = information;
  const fields = useFormFields({ holder: '', iban: '' });
  const [isAgreed, setAgreed] = useState(false);
  const change = useChange('mandateCreate', {
    successMessage: t('Direct debit added'),
    invalidates: ['paymentMethodList'],
  });
  return (
    <Form
      fields={fields}
      submitLabel={t('Add direct debit')}
      close={close}
      disabledReason={isAgreed ? undefined : t('Agree to the mandate first.')}
      onSubmit={() => change.mutateAsync({ ...fields.values, consent, language: consentLanguage() })}
    >
      <TextInput label={t('Account holder')} required maxLength={70} data-autofocus {...fields.input('holder')} />
      <TextInput label={t('IBAN')} required autoComplete="off" spellCheck={false} {...fields.input('iban')} />
      <Checkbox label={text} checked={isAgreed} onChange={(event) => setAgreed(event.currentTarget.checked)} />
    </Form>
  );
}
