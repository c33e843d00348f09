/** The meta entry with the mail settings, sealed; there is none if no email is sent. */
export const mailSettingsEntry = 'mail';
