/** The makers' own colours and monograms, as `makers.toml` of the server names them. White is readable on each. */

export interface Maker {
  letters: string;
  /** As #rrggbb. */
  color: string;
}

// One line for each: name, letters, colour. A test holds the list beside the server's.
const LIST = `
OpenAI|O|0f7459
Anthropic|A|b5532f
Google|G|2563d9
Meta|M|0571ad
Mistral|Mi|c0440c
Alibaba|Q|7a45c8
DeepSeek|D|4348c8
Microsoft|Ms|136f7f
xAI|x|2b3038
Cohere|C|3c6b4f
NVIDIA|N|4b6f00
IBM|IB|1f56b8
Ai2|A2|b0326e
Hugging Face|HF|8a5d00
Moonshot AI|K|475062
Z.ai|Z|2c3f8f
MiniMax|MM|c22f4e
Amazon|Am|8f5400
AI21|21|a83a8a
Perplexity|P|1b6f7a
Stability AI|St|6b3fa8
BAAI|B|3a6491
Baichuan|Ba|a3541c
Shanghai AI Lab|IL|2f6a86
01.AI|Yi|0b6b4a
TII|F|6a4fb5
LG AI Research|LG|a50034
Upstage|Up|5a55c9
Nous Research|No|34506b
Tencent|T|1566b0
ByteDance|By|2a5fc4
Liquid AI|L|3d3d46
Reka|R|7d4a2d
Databricks|Db|b8331f
Snowflake|Sn|1a6e9e
Writer|W|4d4a57
Inflection AI|In|3f6d35
Baidu|Bd|2d4fd0
StepFun|SF|285f9e
Xiaomi|Xi|b84a00
Meituan|LC|7d6000
Ant Group|An|1560c9
OpenBMB|Mc|6f4f8f
Nomic|Nm|486a2c
Mixedbread|Mb|9a4b4b
Jina AI|J|00706a
LMSYS|LM|55607a
Cognitive Computations|Do|33658a
BigCode|BC|7a5c2e
EleutherAI|El|5b5f63
Nexusflow|Nx|5d4ab0
OpenChat|OC|2e6e5e
Arcee AI|Ar|8b3f6b
Swiss AI|Sw|b3261e
Deep Cogito|Co|444f8a
Open Thoughts|OT|6d5a1f
ServiceNow|Se|1f6b3f
Agentica|Ag|7b4a9e
Inception|Me|3e5f6f
Voyage AI|V|355c9a
Kwaipilot|Kw|b0402a
Prime Intellect|PI|3b3b3b
Groq|Gq|b4481f
TinyLlama|TL|496a55
LLaVA|Lv|9a4a1a
BigScience|Bs|7a4f6a
EuroLLM|Eu|1d4fa3
`;

export const MAKERS: ReadonlyMap<string, Maker> = new Map(
  LIST.trim()
    .split("\n")
    .map((line) => {
      const [name = "", letters = "", hex = ""] = line.split("|");
      return [name, { letters, color: `#${hex}` }] as const;
    }),
);
