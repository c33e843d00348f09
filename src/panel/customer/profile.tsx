// The account's profile, and how the signed-in person wants dates, times and messages.
import { Anchor, Select, Stack, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { JSX } from 'react';
import { dateFormats as dateFormatNames, type DateFormat } from '#contract/shapes/person.ts';
import { useScopeDenial } from '../data/identity.ts';
import { useChange, useRead, type Result } from '../data/operations.ts';
import { countryName } from '../parts/countries.ts';
import { createDateFormats } from '../parts/dates.ts';
import { Dimmed } from '../parts/dimmed.tsx';
import { Facts } from '../parts/facts.tsx';
import { useFormFields } from '../parts/form-fields.ts';
import { Form } from '../parts/form.tsx';
import { Page } from '../parts/page.tsx';
import { QueryResult } from '../parts/query-result.tsx';
import { rich } from '../text/rich.ts';
import { locale, t } from '../text/text.ts';
import { SectionCard } from './server/section-card.tsx';

type Preferences = Result<'preferencesGet'>;

export function ProfilePage(): JSX.Element {
  const preferences = useRead('preferencesGet', {});
  return (
    <Page title={t('Profile and preferences')} description={t('Your details, language and date format')}>
      <div className="wide columns">
        <ProfileCard />
        <QueryResult query={preferences}>{(current) => <PreferencesCard current={current} />}</QueryResult>
        <SectionCard title={t('Notifications')}>
          <Text size="sm">
            {rich('Choose which messages you receive under <link>Email</link>.', {
              link: (text) => (
                <Anchor inherit underline="always" component={Link} to="/mail">
                  {text}
                </Anchor>
              ),
            })}
          </Text>
        </SectionCard>
      </div>
    </Page>
  );
}

function ProfileCard(): JSX.Element {
  const mayRead = useScopeDenial()('account:read') === undefined;
  const account = useRead('accountGet', {}, { enabled: mayRead });
  return (
    <SectionCard title={t('Account')} description={t('As shown on invoices. The country decides which tax applies.')}>
      {mayRead ? (
        <QueryResult query={account} lines={6}>
          {(of) => (
            <Stack gap="sm">
              <Facts
                facts={[
                  [t('Customer number'), of.id],
                  [t('Name'), of.fullname],
                  [t('Company'), of.companyname],
                  [t('Email'), of.email],
                  [t('Phone'), of.phonenumber],
                  [t('Address'), [of.address1, of.address2].filter(Boolean).join(', ')],
                  [t('City'), [of.postcode, of.city].filter(Boolean).join(' ')],
                  [t('State or province'), of.state],
                  [t('Country'), countryName(of.countrycode)],
                  [t('Currency'), of.currency],
                ]}
              />
              <Dimmed>{t('To change this, contact support.')}</Dimmed>
            </Stack>
          )}
        </QueryResult>
      ) : (
        <Dimmed>{t('You do not have the permission to see this.')}</Dimmed>
      )}
    </SectionCard>
  );
}

const languageNames = new Intl.DisplayNames([locale()], { type: 'language' });
const sample = new Date('2026-01-31T14:05:09Z');

function PreferencesCard({ current }: { current: Preferences }): JSX.Element {
  const { timezone, dateformat, language, languages } = current;
  const fields = useFormFields<{ timezone: string; dateformat: DateFormat | ''; language: string }>({
    timezone,
    dateformat,
    language,
  });
  const { values } = fields;
  const change = useChange('preferencesSet', {
    successMessage: t('Preferences saved'),
    invalidates: ['preferencesGet', 'mailSettingsGet'],
  });
  const browserZone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  const example = (format: DateFormat | ''): string =>
    createDateFormats({ timezone: values.timezone, dateformat: format }).moment(sample);
  return (
    <SectionCard
      title={t('Language, dates and times')}
      description={t('Only for you. Others on the account choose their own.')}
    >
      <Form fields={fields} submitLabel={t('Save')} onSubmit={() => change.mutateAsync(values)}>
        <Select
          label={t('Language')}
          description={t('For the panel and for messages to you')}
          data={[
            { value: '', label: t('Default') },
            ...languages.map((code) => ({ value: code, label: languageNames.of(code) ?? code })),
          ]}
          value={values.language}
          error={fields.errorOf('language')}
          allowDeselect={false}
          onChange={(next) => fields.set({ language: next ?? '' })}
        />
        <Select
          label={t('Time zone')}
          searchable
          nothingFoundMessage={t('No such time zone')}
          data={[
            { value: '', label: t('Browser ({zone})', { zone: browserZone }) },
            'UTC',
            ...Intl.supportedValuesOf('timeZone').filter((name) => name !== 'UTC'),
          ]}
          value={values.timezone}
          error={fields.errorOf('timezone')}
          allowDeselect={false}
          onChange={(next) => fields.set({ timezone: next ?? '' })}
        />
        <Select
          label={t('Date format')}
          data={[
            { value: '', label: t('Browser: {example}', { example: example('') }) },
            ...dateFormatNames.map((value) => ({ value, label: example(value) })),
          ]}
          value={values.dateformat}
          allowDeselect={false}
          onChange={(next) => fields.set({ dateformat: (next ?? '') as DateFormat | '' })}
        />
      </Form>
    </SectionCard>
  );
}
