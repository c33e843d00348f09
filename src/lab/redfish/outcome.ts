// What a Redfish request comes to, and refusals in the words of DMTF's base message registry.

export type Body = Record<string, unknown>;

export interface Outcome {
  readonly status: number;
  readonly body?: Body;
  readonly headers?: Readonly<Record<string, string>>;
}

export const done: Outcome = { status: 204 };

const registry = 'Base.1.15';

export function refusal(status: number, key: string, text: string): Outcome {
  const message = {
    '@odata.type': '#Message.v1_1_2.Message',
    MessageId: `${registry}.${key}`,
    Message: text,
    MessageSeverity: 'Critical',
    Resolution: 'None.',
  };
  return {
    status,
    body: { error: { code: message.MessageId, message: text, '@Message.ExtendedInfo': [message] } },
  };
}

export const notFound = refusal(404, 'ResourceMissingAtURI', 'There is no resource at this URI.');
export const notAllowed = refusal(405, 'OperationNotAllowed', 'This resource does not take this method.');

export function badValue(name: string): Outcome {
  return refusal(400, 'PropertyValueError', `The value of ${name} is not one of those that are taken.`);
}
