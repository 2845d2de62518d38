// Calls of the published Node client against the door: node client_calls.mjs BASE_URL, where `openai` is installed.
import OpenAI from "openai";

const client = new OpenAI({ baseURL: process.argv[2], apiKey: "any", maxRetries: 0 });
const messages = [{ role: "user", content: "Hello" }];
const tools = [{ type: "function", function: { name: "add", parameters: { type: "object" } } }];
const chats = client.chat.completions;

async function stream() {
  let text = "";
  for await (const chunk of await chats.create({ model: "ada", messages, stream: true })) {
    text += chunk.choices[0].delta.content ?? "";
  }
  return text;
}

const calls = {
  answer: async () => (await chats.create({ model: "ada", messages })).choices[0].message.content,
  stream,
  tools: async () => (await chats.create({ model: "tooly", messages, tools })).choices[0].message.tool_calls.length,
  embeddings: async () => (await client.embeddings.create({ model: "vectors", input: "x" })).data[0].embedding.length,
  responses: async () => (await client.responses.create({ model: "ada", input: "x" })).output_text,
  models: async () => (await client.models.list()).data.length,
  errors: async () => {
    try {
      await chats.create({ model: "gone", messages });
    } catch (error) {
      return error instanceof OpenAI.NotFoundError;
    }
  },
};
for (const [feature, call] of Object.entries(calls)) {
  try {
    console.log((await call()) ? "ok  " : "FAIL", "openai-node", feature);
  } catch (error) {
    console.log(`FAIL ${error} openai-node ${feature}`);
  }
}
