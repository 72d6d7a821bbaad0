package rules

import (
	"path"
	"slices"
	"strings"

	"agentguard/checks/shell"
)

var curlSpec = shell.OptSpec{
	Short: "X:H:d:F:o:u:A:b:c:e:T:x:m:w:K:E:r:Y:y:z:C:D:sSfLkIivgGnNOJjlqRZ46#",
	Long: "request= header= data= data-raw= data-binary= data-urlencode= data-ascii= json= form= form-string= output= user= user-agent= cookie= cookie-jar= referer= upload-file= proxy= max-time= write-out= config= " +
		"cert= key= cacert= url= url-query= retry= retry-delay= connect-timeout= limit-rate= method= post-data= post-file= body-data= body-file= output-document= directory-prefix= input-file= remote-name silent show-error fail location insecure head include get compressed globoff no-progress-meter parallel resolve= interface= output-dir=",
}

// fetches tells commands that bring text in from the network.
func fetches(c *shell.Command) bool {
	switch c.Name {
	case "curl", "wget", "wget2", "fetch", "aria2c", "http", "https", "httpie", "xh", "lynx", "w3m", "links", "axel", "curlie", "httpx", "lwp-request", "get", "iwr", "invoke-webrequest", "irm", "gsutil", "ftp", "tftp", "lftp", "sftp":
		return !hasWord(c.Args, "--version", "--help")
	case "nc", "ncat", "netcat", "socat", "telnet":
		return true
	case "aws":
		return hasAllWords(texts(c.Args), "s3 cp") && hasWord(c.Args, "-")
	case "gh":
		return len(c.Args) > 1 && (c.Args[0].Text == "api" || hasAllWords(texts(c.Args), "gist view") || hasAllWords(texts(c.Args), "release download"))
	case "ssh":
		return false
	case "dig", "nslookup", "host":
		return true
	case "openssl":
		return hasWord(c.Args, "s_client")
	}
	return false
}

// downloads lists the files that a command saves network text to.
func (s *scan) downloads(i int) []string {
	c := &s.cmds[i]
	var out []string
	o := shell.Options(c.Args, curlSpec)
	switch c.Name {
	case "curl", "curlie":
		for _, w := range o.Values("o", "output") {
			out = append(out, s.abs(i, w.Text))
		}
		if o.Has("O", "remote-name") {
			for _, w := range o.Rest {
				out = append(out, s.abs(i, path.Base(stripQuery(w.Text))))
			}
		}
	case "wget", "wget2", "aria2c", "axel":
		w := shell.Options(c.Args, shell.OptSpec{Short: "O:o:P:i:d:qcnNrS", Long: "output-document= output-file= directory-prefix= out= dir= quiet"})
		if v, ok := w.Value("O", "output-document", "o", "out"); ok && v.Text != "-" {
			out = append(out, s.abs(i, v.Text))
		} else {
			dir, _ := w.Value("P", "directory-prefix", "d", "dir")
			for _, u := range w.Rest {
				out = append(out, s.abs(i, path.Join(dir.Text, path.Base(stripQuery(u.Text)))))
			}
		}
	}
	for _, r := range c.Redirs {
		if strings.HasPrefix(r.Op, ">") || strings.HasPrefix(r.Op, "&>") {
			out = append(out, s.abs(i, r.Path.Text))
		}
	}
	// curl … | tee FILE, curl … | gunzip > FILE
	for j, n := c.Feeds, 0; j >= 0 && j < len(s.cmds) && n < 64; j, n = s.cmds[j].Feeds, n+1 {
		if s.cmds[j].Name == "tee" || s.cmds[j].Name == "dd" {
			for _, e := range s.effectsOf(j) {
				if e.Op != shell.Read {
					out = append(out, s.abs(j, e.Path.Text))
				}
			}
		}
		for _, r := range s.cmds[j].Redirs {
			if strings.HasPrefix(r.Op, ">") {
				out = append(out, s.abs(j, r.Path.Text))
			}
		}
	}
	return slices.DeleteFunc(out, func(p string) bool { return p == "" || p == "-" || isDevice(p) })
}

func stripQuery(u string) string {
	u, _, _ = strings.Cut(u, "?")
	u, _, _ = strings.Cut(u, "#")
	return u
}

// runner tells shells and interpreters: programs that run the text they read.
func runner(name string) bool {
	return oneOf(name, "sh", "bash", "zsh", "dash", "ksh", "fish", "ash", "csh", "tcsh", "mksh", "source", ".", "eval", "pwsh", "powershell", "su", "busybox", "invoke-expression") || interpreterName(name) || oneOf(name, "lua", "osascript", "tclsh", "rscript", "r", "julia", "iex")
}

// sends tells commands that carry text away to another machine.
func sends(c *shell.Command) bool {
	switch c.Name {
	case "curl", "wget", "wget2", "http", "https", "xh", "httpie", "curlie", "nc", "ncat", "netcat", "socat", "telnet", "ftp", "tftp", "lftp", "sftp", "scp", "rsync", "rclone", "mail", "mailx", "mutt", "sendmail", "msmtp", "swaks",
		"dig", "nslookup", "host", "ping", "drill", "ssh", "croc", "wormhole", "magic-wormhole", "transfer", "slack", "telegram-send", "ntfy", "pastebinit", "termbin", "slackcat", "ix", "wgetpaste", "hastebin", "logger", "azcopy", "gsutil", "s3cmd", "grpcurl", "websocat", "ngrok", "iwr", "invoke-webrequest":
		return true
	case "aws":
		return hasAllWords(texts(c.Args), "s3 cp") || hasAllWords(texts(c.Args), "s3 sync") || hasAllWords(texts(c.Args), "s3api put-object") || hasAllWords(texts(c.Args), "sns publish")
	case "gh", "glab":
		return len(c.Args) > 1 && oneOf(c.Args[0].Text, "gist", "issue", "pr", "api", "release", "snippet") && !oneOf(c.Args[1].Text, "view", "list", "diff", "checks", "status")
	case "openssl":
		return hasWord(c.Args, "s_client")
	case "gcloud":
		return hasAllWords(texts(c.Args), "storage cp")
	case "az":
		return hasAllWords(texts(c.Args), "storage blob upload")
	}
	return false
}
