// node idioms.js <idiom> <address> <port>: a student's program without a mistake, in one of the ways to talk.

const net = require("net");
const [idiom, host, port] = process.argv.slice(2);
const socket = net.createConnection({ host, port: Number(port), noDelay: true, allowHalfOpen: idiom === "half-open" });
let buffer = Buffer.alloc(0);

function write(text) {
  const data = Buffer.from(text);
  const size = Buffer.from([0, data.length]);
  if (idiom === "two-writes") {
    socket.write(size);
    socket.write(data);
  } else if (idiom === "cork") {
    socket.cork();
    socket.write(size);
    socket.write(data);
    process.nextTick(() => socket.uncork());
  } else if (idiom === "bytes") {
    for (const byte of Buffer.concat([size, data])) socket.write(Buffer.from([byte]));
  } else if (idiom === "timer") {
    setTimeout(() => socket.write(Buffer.concat([size, data])), 1);
  } else {
    socket.write(Buffer.concat([size, data]));
  }
}

function hear(text) {
  if (text === "login") write("ada-l:Ada");
  else if (text.startsWith("bet")) write("bet:" + text.split(":")[3]);
  else if (text.startsWith("done")) idiom === "destroy" ? socket.destroy() : idiom === "exit" ? process.exit() : socket.end();
}

function split(data) {
  buffer = Buffer.concat([buffer, data]);
  while (buffer.length >= 2 && buffer.length >= 2 + buffer.readUInt16BE(0)) {
    const end = 2 + buffer.readUInt16BE(0);
    const text = buffer.toString("utf8", 2, end);
    buffer = buffer.subarray(end);
    hear(text);
  }
}

if (idiom === "readable") {
  socket.on("readable", () => {
    for (let data; (data = socket.read()) !== null; ) split(data);
  });
} else if (idiom === "async") {
  (async () => {
    for await (const data of socket) split(data);
  })();
} else {
  socket.on("data", split);
}
