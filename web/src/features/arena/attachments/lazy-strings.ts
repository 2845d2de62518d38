/** Texts of what loads with the first file, so that the first page does not carry them. */
type Shown = string | number;

export const LAZY_STRINGS = {
  attachments: "Attachments",
  remove: (name: string) => `Remove ${name}`,
  uploadingFile: (name: string) => `Uploading ${name}`,
  uploading: "Uploading…",
  reading: "Reading…",
  attached: (name: string) => `${name} is attached.`,
  tokens: (count: Shown) => (count === "1" ? "about 1 token" : `about ${count} tokens`),
  pages: (count: Shown) => `${count} pages`,
  onePage: "1 page",
  open: (name: string) => `Open picture ${name}`,
  download: (name: string) => `Download ${name}`,
  tooLarge: (name: string, size: string, megabytes: Shown) =>
    `${name} has ${size}; the limit is ${megabytes} MB.`,
  tooMany: (most: Shown) => `A question can have at most ${most} attachments.`,
  interrupted: (name: string) =>
    `${name} was not uploaded before the page was reloaded. Remove it here and attach it again.`,
  retry: "Retry",
  sameContent: (name: string, other: string) =>
    name === other
      ? `${name} is attached already.`
      : `${name} has the same content as ${other}, which is attached already.`,
  addQuestion: "Type a question to send with the files",
  removeFailed: "Remove what can’t be attached",
  cannotSee: (names: string) => `${names} can’t read pictures`,
  cannotSeeHint: "Remove the picture, or choose a model that reads pictures.",
  cannotSeeEarlier:
    "This conversation has a picture. Choose a model that reads pictures, or start a new session.",
  tooLate: "This battle started without a picture",
  tooLateHint: "Its models may not be able to read one. Start a new battle, or remove the picture.",
  needTwo: "A battle with a picture needs two models that read pictures",
  needTwoHint: "Add models with the capability “vision”, or remove the picture.",
  tooLong: (models: readonly (readonly [name: string, most: string])[]) =>
    `The files may be too long: ${models.map(([name, most]) => `${name} reads at most ${most} tokens`).join(", ")}.`,
  noFiles: (mode: string) => `${mode} doesn’t take files`,
  noFilesHint: "Remove them, or choose another mode.",
  filesNotSendable: "The files can’t be sent",
  notSendable: "The picture can’t be sent",
  and: " and ",
} as const;
