// Pure: the English of messages about signatures: refusals, and findings of the diagnostics.

const RESERIALISED = 'the body was serialised again after it was signed';

export const signatureMessages = {
  'signature.no_secret': () => 'There is no signing secret yet, so nothing can be proven.',
  'signature.unsigned': ({ own, standard }: { own: string; standard: string }) =>
    `It has no signature: neither ${own} nor ${standard}.`,
  'signature.unreadable': () => 'Its signature is neither 64 hex digits nor the base64 of 32 bytes.',
  'signature.other_form': ({ form, pinned }: { form: string; pinned: string | null }) =>
    `Its signature is right but spelt as ${form}; this service spelt it as ${pinned} before.`,
  'signature.wrong': () => 'Its signature is not that of this body by any live secret.',

  'signature.right': ({ header, form }: { header: string; form: string | null }) =>
    `${header} is right${form === null ? '' : `, spelt as ${form}`}.`,
  'signature.generation': ({ generation }: { generation: 'current' | 'previous' }) =>
    `It is that of the ${generation} secret.`,
  'signature.learn_form': () =>
    'If the service changed its encoding, set its secret again: Barograph then accepts the new encoding.',
  'signature.unexplained': () =>
    'No usual change of body, secret or spelling explains it: it was signed with another secret, or the body was changed on its way.',
  'signature.compare': () => 'Compare the secret with the one that the service showed; when it was lost, rotate it.',
  'signature.plain_hash': () => 'It is the plain SHA-256 of the body, made without any secret.',
  'signature.spelling': ({ form }: { form: string }) => `Its spelling can be read: ${form}.`,
  'signature.digits': ({ count }: { count: number }) =>
    `It has ${count} hex digits; 64 are needed${count < 64 ? ', so it may be cut off' : ''}.`,
  'signature.characters': ({ count }: { count: number }) =>
    `It has ${count} characters; 64 hex digits or 44 of base64 are needed.`,
  'signature.foreign_header': ({ header, own }: { header: string; own: string }) =>
    `There is a header ${header}; the name must be ${own}.`,
  'signature.no_seconds': ({ header }: { header: string }) => `${header} is no whole number of seconds.`,
  'signature.milliseconds': ({ header }: { header: string }) => `${header} is in milliseconds; seconds are needed.`,
  'signature.clock_fits': () => 'Its time is that of this computer, within five minutes.',
  'signature.clock_off': ({ off }: { off: number }) =>
    `The sender's clock and this computer's are ${duration(Math.abs(off))} apart (the delivery is ${off < 0 ? 'behind' : 'ahead'}), or it was held up on its way. Other receivers allow five minutes.`,

  /** A cause as a sentence. */
  'signature.cause': ({ cause }: { cause: string }) => `${cause.charAt(0).toUpperCase()}${cause.slice(1)}.`,
  'signature.both': ({ first, second }: { first: string; second: string }) => `${first}; ${second}`,
  'cause.previous': () => 'it was signed with the previous secret',
  'cause.retired': () => 'it was signed with a secret that was replaced and is no longer valid',
  'cause.algorithm': ({ algorithm }: { algorithm: string }) =>
    `it was made with HMAC-${algorithm.toUpperCase()}; HMAC-SHA256 is needed`,
  'cause.key_decoded': () => 'the sender signs with the decoded bytes of the secret; its characters are needed',
  'cause.key_with_prefix': () => 'the sender signs with the characters of the secret, its prefix whsec_ included',
  'cause.key_without_prefix': () =>
    'the sender leaves the prefix whsec_ out and signs with the characters behind it; their decoded bytes are needed',
  'cause.key_prefixed': () => 'the sender puts whsec_ before the secret',
  'cause.key_line_break': () => "the sender's secret ends in a line break; it was read from a file, whole",
  'cause.key_blank_before': () => "the sender's secret begins with a blank",
  'cause.key_blank_after': () => "the sender's secret ends in a blank",
  'cause.key_blanks_here': () => 'the secret that is kept here has blanks around it',
  'cause.key_quoted': () => "the sender's secret is in quotation marks",
  'cause.key_no_padding': () => "the sender's secret lacks the = at its end",
  'cause.key_hex': () => 'the sender reads the secret as hex; its characters are needed',
  'cause.line_break_lost': () => 'a line break at the end of the body was lost after it was signed',
  'cause.line_break_added': () => 'a line break was added to the body after it was signed',
  'cause.line_breaks': () => 'the line breaks of the body were changed after it was signed',
  'cause.bom_added': () => 'a byte order mark was put before the body',
  'cause.bom_lost': () => 'a byte order mark before the body was lost',
  'cause.empty_body': () => 'the empty body was signed: the sender signs before it has the body',
  'cause.blanks_added': () => `${RESERIALISED}: blanks were put into it. Send the very bytes that were signed`,
  'cause.indent': ({ width }: { width: number }) =>
    `${RESERIALISED}: it was signed with an indent of ${width === 2 ? 'two' : 'four'}`,
  'cause.tabs': () => `${RESERIALISED}: it was signed with tabs`,
  'cause.python': () => `${RESERIALISED}: it was signed with a blank after every comma and colon, as Python writes it`,
  'cause.python_ascii': () => `${RESERIALISED}: it was signed as Python writes it, all but ASCII escaped`,
  'cause.ascii': () => `${RESERIALISED}: it was signed with all but ASCII escaped`,
  'cause.sorted': () => `${RESERIALISED}: it was signed with its names in alphabetical order`,
  'cause.python_sorted': () => `${RESERIALISED}: it was signed as Python writes it, its names in alphabetical order`,
  'cause.json_string': () => 'the body was signed as a JSON string in quotation marks',
  'cause.body_quoted': () => 'the body was put into quotation marks after it was signed',
  'cause.standard_in_own': ({ standard, own }: { standard: string; own: string }) =>
    `what ${standard} signs (id.time.body) is in ${own}; the body alone is needed`,
  'cause.time_and_body': () => 'time and body were signed; the body alone is needed',
  'cause.id_and_body': () => 'id and body were signed; the body alone is needed',
  'cause.unknown_prefix': ({ prefix }: { prefix: string }) => `its prefix "${prefix}" is unknown`,
  'cause.base64_of_hex': () => 'the hex digits were encoded once more as base64',
  'cause.quoted': () => 'the signature is in quotation marks',
  'cause.with_0x': () => 'the signature begins with 0x',
};

function duration(ms: number): string {
  const minutes = Math.round(ms / 60_000);
  if (minutes < 120) return `${minutes} min`;
  return minutes < 48 * 60 ? `${Math.round(minutes / 60)} h` : `${Math.round(minutes / 1440)} days`;
}
